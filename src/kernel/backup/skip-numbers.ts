/**
 * After a restore, numbers used since the backup must not be used again. Clients have seen messages and events under
 * them, and Redis treats a known number as published, and a known job as done. So every counter skips far ahead: queues
 * before the jump are told to start over.
 */
import type { Tenant } from '../actor/address';
import type { AloneConnection } from '../mysql/alone';
import { literal } from '../mysql/literal';
import { listTables, quoted } from './table-shape';

const FEWEST = 1_000_000;
/** More than an organisation could plausibly use on average. */
const A_SECOND = 1000;
/** 32-bit columns would overflow after a few restores of old backups. */
const MAX_IN_INT = 1_000_000;

export interface SkippedNumbers {
  readonly by: number;
  /** Tenants that may have no counter yet. */
  readonly tenants: readonly Tenant[];
  /** The next number of each table, which its rows may no longer show. */
  readonly nextIds: Readonly<Record<string, number | null>>;
}

/** How many numbers may have been used since the backup. */
export const numbersSince = (takenAt: string, now: Date): number =>
  Math.max(FEWEST, Math.ceil((now.getTime() - Date.parse(takenAt)) / 1000) * A_SECOND);

export async function skipNumbers(
  connection: AloneConnection,
  { by, tenants, nextIds }: SkippedNumbers,
): Promise<void> {
  const counters = tenants.map((tenant) => `(${literal(tenant)})`).join(', ');
  if (counters !== '') await connection.query(`INSERT IGNORE INTO kernel_counters (tenant) VALUES ${counters}`);
  await connection.query(
    `UPDATE kernel_counters SET event_number = event_number + ${by}, record_number = record_number + ${by}`,
  );
  for (const { name, numbered } of await listTables(connection)) {
    const step = numbered && stepOf(numbered.type, by);
    if (!step) continue;
    const next = Math.max(numbered.nextId, nextIds[name] ?? 1) + step;
    await connection.query(`ALTER TABLE ${quoted(name)} AUTO_INCREMENT = ${next}`);
  }
}

/** Smaller columns number rows that are created by hand, and would overflow. */
function stepOf(type: string, by: number): number | undefined {
  if (type === 'bigint') return by;
  return type === 'int' ? Math.min(by, MAX_IN_INT) : undefined;
}
