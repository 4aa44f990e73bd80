/** All routes of the operators' API and console. */
import type { WorkQueueAdmin } from '../../kernel/jobs/work-queue-admin';
import type { Mount } from '../../kernel/product';
import type { TenantKeeper } from '../../kernel/tenants';
import type { Installation } from '../queries/examine';
import { openOverview } from '../queries/get-overview';
import type { Access } from './access';
import { opsWireFormat } from './wire-format';
import { overviewRoutes, queueRoutes } from './queues';
import { sessionRoutes } from './sessions';
import { tenantRoutes } from './tenants';
import { workRoutes } from './work';

export interface Mounted {
  /** The work queues of the enabled products. */
  readonly admins: readonly WorkQueueAdmin[];
  readonly tenants: readonly TenantKeeper[];
  /** Whether ops answers 404 for paths that no other product serves. */
  readonly refusesRest: boolean;
  /** A function, because the installation is complete only once all products exist. */
  readonly installation: () => Installation;
}

export function opsMounts(access: Access, { admins, tenants, refusesRest, installation }: Mounted): Mount[] {
  const wireFormat = opsWireFormat(access);
  const overview = overviewRoutes(openOverview(access.kernel, admins, installation));
  const rest: Mount = { prefix: '', wireFormat, routes: [] };
  return [
    {
      prefix: '/ops/api',
      wireFormat,
      routes: [...queueRoutes, ...workRoutes(admins), ...overview, ...tenantRoutes(tenants)],
    },
    { prefix: '/ops/web', wireFormat, routes: sessionRoutes(access, installation) },
    ...(refusesRest ? [rest] : []),
  ];
}
