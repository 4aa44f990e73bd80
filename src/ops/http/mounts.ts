/** Everything that operators' programs and pages call. */
import type { Mount } from '../../kernel/product';
import type { OpsOptions } from '../index';
import { openOverview } from '../queries/get-overview';
import type { Access } from './access';
import { opsDialect } from './dialect';
import { overviewRoutes } from './overview';
import { queueRoutes } from './queues';
import { sessionRoutes } from './sessions';
import { tenantRoutes } from './tenants';
import { workRoutes } from './work';

export function opsMounts(access: Access, { desks, tenants, refusesRest, installation }: OpsOptions): Mount[] {
  const dialect = opsDialect(access);
  const overview = overviewRoutes(openOverview(access.kernel, desks, installation));
  const rest: Mount = { prefix: '', dialect, routes: [] };
  return [
    {
      prefix: '/ops/api',
      dialect,
      routes: [...queueRoutes, ...workRoutes(desks), ...overview, ...tenantRoutes(tenants)],
    },
    { prefix: '/ops/web', dialect, routes: sessionRoutes(access) },
    ...(refusesRest ? [rest] : []),
  ];
}
