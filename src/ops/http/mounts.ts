/** Everything that operators' programs and pages call. */
import type { Desk } from '../../kernel/jobs/desk';
import type { Mount } from '../../kernel/product';
import type { Access } from './access';
import { opsDialect } from './dialect';
import { queueRoutes } from './queues';
import { sessionRoutes } from './sessions';
import { workRoutes } from './work';

export function opsMounts(access: Access, desks: readonly Desk[], refusesRest: boolean): Mount[] {
  const dialect = opsDialect(access);
  const rest: Mount = { prefix: '', dialect, routes: [] };
  return [
    { prefix: '/ops/api', dialect, routes: [...queueRoutes, ...workRoutes(desks)] },
    { prefix: '/ops/web', dialect, routes: sessionRoutes(access) },
    ...(refusesRest ? [rest] : []),
  ];
}
