/** The most recent order for each of some extensions. */
import type { Knex } from 'knex';
import type { Operation, OperationKind, OperationState } from '../../model/extensions/operation';

export interface LastOperation {
  readonly extensionNumber: number;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly detail: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const COLUMNS = {
  extensionNumber: 'o.extension_number',
  kind: 'o.kind',
  state: 'o.state',
  detail: 'o.detail',
  createdAt: 'o.created_at',
  finishedAt: 'o.finished_at',
};

/** The order for the same extension that came before this one. */
export async function orderBefore(
  db: Knex,
  { instance, extensionNumber, number }: Pick<Operation, 'instance' | 'extensionNumber' | 'number'>,
): Promise<LastOperation | undefined> {
  return (await db('tel_operations AS o')
    .where({ instance, extension_number: extensionNumber })
    .where('o.number', '<', number)
    .orderBy('o.number', 'desc')
    .first(COLUMNS)) as LastOperation | undefined;
}

export async function lastOf(db: Knex, instance: string, numbers: readonly number[]): Promise<LastOperation[]> {
  if (numbers.length === 0) return [];
  const last = db('tel_operations')
    .where({ instance })
    .whereIn('extension_number', numbers)
    .groupBy('extension_number')
    .max('number as number');
  return (await db('tel_operations AS o')
    .join(last.as('last'), 'last.number', 'o.number')
    .select(COLUMNS)) as LastOperation[];
}
