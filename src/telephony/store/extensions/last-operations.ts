/** The most recent order for each of some extensions. */
import type { Knex } from 'knex';
import type { OperationKind, OperationState } from '../../model/extensions/operation';

export interface LastOperation {
  readonly extensionNumber: number;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly detail: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export async function lastOf(db: Knex, instance: string, numbers: readonly number[]): Promise<LastOperation[]> {
  if (numbers.length === 0) return [];
  const last = db('tel_operations')
    .where({ instance })
    .whereIn('extension_number', numbers)
    .groupBy('extension_number')
    .max('number as number');
  return (await db('tel_operations AS o').join(last.as('last'), 'last.number', 'o.number').select({
    extensionNumber: 'o.extension_number',
    kind: 'o.kind',
    state: 'o.state',
    detail: 'o.detail',
    createdAt: 'o.created_at',
    finishedAt: 'o.finished_at',
  })) as LastOperation[];
}
