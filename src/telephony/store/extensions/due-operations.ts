/** What a turn of a PBX instance reads, in one round trip. Plain SQL, because it runs for every order. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { send, type Rows } from '../../../kernel/mysql/direct';
import type { Operation } from '../../model/extensions/operation';
import { instanceOf, type InstanceRow, type StoredInstance } from '../sites/sites';
import { extensionOf, type Row as ExtensionRow, type SealedExtension } from './extensions';
import { LEFT_MS, operationOf, type Row } from './operations';

export const MAX_AT_ONCE = 100;

const INSTANCE =
  'SELECT i.*, c.name AS company_name FROM tel_instances AS i JOIN tel_companies AS c ON c.id = i.company_id ' +
  'WHERE i.uuid = ?';
/** In order of arrival. Undos are included only when they are due. */
const DUE =
  `SELECT *, ${LEFT_MS} FROM tel_operations WHERE instance = ? AND state IN ('pending', 'running', 'undoing') ` +
  `AND (state <> 'undoing' OR next_try_at <= NOW(3)) ORDER BY number LIMIT ${MAX_AT_ONCE}`;
const BEGIN =
  "UPDATE tel_operations SET state = 'running', attempts = attempts + 1, called_at = NOW(3) " +
  "WHERE number = ? AND state IN ('pending', 'running') AND deadline_at > NOW(3)";
const EXTENSION = 'SELECT * FROM tel_extensions WHERE pbx = ? AND id = ?';

export interface Work {
  /** Undefined if the instance was removed. */
  readonly instance: StoredInstance | undefined;
  readonly due: readonly Operation[];
}

/** The statements that read the work of an instance. */
export const workOn = (instance: string): readonly Statement[] => [
  { sql: INSTANCE, bindings: [instance] },
  { sql: DUE, bindings: [instance] },
];

export function workOf([instances, due]: readonly Rows[]): Work {
  const [instance] = instances as unknown as readonly InstanceRow[];
  return {
    instance: instance && instanceOf(instance),
    due: (due as unknown as readonly Row[]).map(operationOf),
  };
}

export async function findWork(db: Knex, instance: string): Promise<Work> {
  return workOf((await send(db, `${INSTANCE}; ${DUE}`, [instance, instance])) as Rows[]);
}

export interface Begun {
  /** False if the operation was given up meanwhile, or its time has run out. */
  readonly hasBegun: boolean;
  /** The operation's extension, even if it is hidden. */
  readonly extension: SealedExtension | undefined;
}

export async function begin(db: Knex, { number, instance, extensionId }: Operation): Promise<Begun> {
  const [changed, extensions] = (await send(db, `${BEGIN}; ${EXTENSION}`, [number, instance, extensionId])) as [
    { affectedRows: number },
    ExtensionRow[],
  ];
  const [extension] = extensions;
  return { hasBegun: changed.affectedRows === 1, extension: extension && extensionOf(extension) };
}
