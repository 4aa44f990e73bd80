/** All routes of the operators' API and console. */
import type { ListFarEnds } from '../../kernel/far-ends/far-end';
import type { FarEndKeeper } from '../../kernel/far-ends/keeper';
import type { WorkQueueAdmin } from '../../kernel/jobs/work-queue-admin';
import type { Mount } from '../../kernel/product';
import type { TenantKeeper } from '../../kernel/tenants';
import type { Installation } from '../queries/examine';
import { reportFarEnds } from '../queries/far-ends';
import { openOverview } from '../queries/get-overview';
import { namesOfWork } from '../queries/name-work';
import type { Access } from './access';
import { farEndRoutes } from './far-ends';
import { opsWireFormat } from './wire-format';
import { operatorRoutes } from './operators';
import { overviewRoutes, queueRoutes } from './queues';
import { sessionRoutes } from './sessions';
import { tenantRoutes } from './tenants';
import { workRoutes } from './work';

export interface Mounted {
  /** The lists of the far ends that the enabled products call. */
  readonly farEnds: readonly ListFarEnds[];
  readonly farEndKeepers: readonly FarEndKeeper[];
  /** The work queues of the enabled products. */
  readonly admins: readonly WorkQueueAdmin[];
  readonly tenants: readonly TenantKeeper[];
  /** Whether ops answers 404 for paths that no other product serves. */
  readonly refusesRest: boolean;
  /** A function, because the installation is complete only once all products exist. */
  readonly installation: () => Installation;
}

export function opsMounts(access: Access, mounted: Mounted): Mount[] {
  const { admins, farEnds, farEndKeepers, tenants, refusesRest, installation } = mounted;
  const { kernel } = access;
  const wireFormat = opsWireFormat(access);
  const lookAtFarEnds = () => reportFarEnds(kernel, farEnds, installation().settings.smtpUrl);
  const rest: Mount = { prefix: '', wireFormat, routes: [] };
  return [
    {
      prefix: '/ops/api',
      wireFormat,
      routes: [
        ...queueRoutes,
        ...workRoutes(admins, namesOfWork(kernel, { keepers: tenants, farEnds })),
        ...overviewRoutes(openOverview(kernel, { admins, installation, lookAtFarEnds })),
        ...tenantRoutes(tenants),
        ...farEndRoutes(access, { lookAtFarEnds, keepers: farEndKeepers }),
        ...operatorRoutes,
      ],
    },
    { prefix: '/ops/web', wireFormat, routes: sessionRoutes(access, installation) },
    ...(refusesRest ? [rest] : []),
  ];
}
