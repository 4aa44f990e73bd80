/** Everything that operators' programs and pages call. */
import type { Desk } from '../../kernel/jobs/desk';
import type { Mount } from '../../kernel/product';
import type { TenantKeeper } from '../../kernel/tenants';
import type { Installation } from '../queries/examine';
import { openOverview } from '../queries/get-overview';
import type { Access } from './access';
import { opsWireFormat } from './wire-format';
import { overviewRoutes } from './overview';
import { queueRoutes } from './queues';
import { sessionRoutes } from './sessions';
import { tenantRoutes } from './tenants';
import { workRoutes } from './work';

export interface Mounted {
  /** Those of the products that it looks after. */
  readonly desks: readonly Desk[];
  readonly tenants: readonly TenantKeeper[];
  /** Whether it answers 404 to the paths that no other product has. */
  readonly refusesRest: boolean;
  /** What it checks; complete once all products are there. */
  readonly installation: () => Installation;
}

export function opsMounts(access: Access, { desks, tenants, refusesRest, installation }: Mounted): Mount[] {
  const wireFormat = opsWireFormat(access);
  const overview = overviewRoutes(openOverview(access.kernel, desks, installation));
  const rest: Mount = { prefix: '', wireFormat, routes: [] };
  return [
    {
      prefix: '/ops/api',
      wireFormat,
      routes: [...queueRoutes, ...workRoutes(desks), ...overview, ...tenantRoutes(tenants)],
    },
    { prefix: '/ops/web', wireFormat, routes: sessionRoutes(access, installation) },
    ...(refusesRest ? [rest] : []),
  ];
}
