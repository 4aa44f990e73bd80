/** Creates many idle tenants: organisations and companies as they are long after their last use. */
import type { Connection } from 'mysql2/promise';
import { insertRows } from './crowd';

/** Each has people, messages, events and a webhook, all fully processed. */
const MESSAGES = 10;
const RETENTION = '{"message_retention_days":30}';

const column = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Creates this many organisations and as many companies, in addition to the existing ones. */
export async function makeIdleTenants(database: Connection, count: number): Promise<void> {
  // The only organisation of a server needs no subdomain; one of many does.
  await database.query("UPDATE chat_realms SET subdomain = 'first' WHERE subdomain = ''");
  await makeOrganisations(database, count);
  await makeCompanies(database, count);
}

async function makeOrganisations(database: Connection, count: number): Promise<void> {
  const now = new Date();
  await insertRows(
    database,
    'chat_realms',
    ['subdomain', 'name', 'description', 'settings', 'created_at'],
    column(count).map((at) => [`idle-${at}`, `Idle ${at}`, '', at % 2 === 0 ? RETENTION : '{}', now]),
  );
  const people =
    'INSERT INTO chat_users (realm_id, email, full_name, short_name, role, settings, key_hash, key_sealed, joined_at) ' +
    "SELECT id, 'owner@example.com', name, 'o', 'admin', '{}', SHA2(CONCAT('idle', id), 256), '', NOW(3) ";
  const ofIdle = "FROM chat_realms WHERE subdomain LIKE 'idle-%'";
  await database.query(`${people} ${ofIdle}`);
  await database.query(
    `INSERT INTO kernel_counters (tenant, event_number, record_number) SELECT CONCAT('chat:', id), ?, ? ${ofIdle}`,
    [MESSAGES, MESSAGES],
  );
  for (const cursors of ['chat_search_cursors (realm_id, indexed_id)', 'chat_missed_cursors (realm_id, noted_id)']) {
    await database.query(`INSERT INTO ${cursors} SELECT id, ? ${ofIdle}`, [MESSAGES]);
  }
}

async function makeCompanies(database: Connection, count: number): Promise<void> {
  const now = new Date();
  const idOf = (kind: string, at: number) => `${kind}${String(at).padStart(24 - kind.length, '0')}`;
  await insertRows(
    database,
    'tel_companies',
    ['id', 'name', 'status', 'details', 'created_at', 'updated_at'],
    column(count).map((at) => [idOf('idle', at), `Idle company ${at}`, 'active', '{}', now, now]),
  );
  await insertRows(
    database,
    'tel_webhooks',
    ['id', 'company_id', 'url', 'secret', 'events', 'is_active', 'position', 'created_at'],
    column(count).map((at) => {
      return [idOf('hook', at), idOf('idle', at), 'https://example.com/hook', '', '', true, MESSAGES, now];
    }),
  );
  await insertRows(
    database,
    'kernel_counters',
    ['tenant', 'event_number'],
    column(count).map((at) => [`tel:${idOf('idle', at)}`, MESSAGES]),
  );
}

/** Removes them again. */
export async function removeIdleTenants(database: Connection): Promise<void> {
  const idle = "SELECT id FROM chat_realms WHERE subdomain LIKE 'idle-%'";
  for (const [table, column] of [
    ['chat_users', 'realm_id'],
    ['chat_search_cursors', 'realm_id'],
    ['chat_missed_cursors', 'realm_id'],
  ] as const) {
    await database.query(`DELETE FROM ${table} WHERE ${column} IN (${idle})`);
  }
  await database.query(
    "DELETE counter FROM kernel_counters counter JOIN chat_realms realm ON counter.tenant = CONVERT(CONCAT('chat:', realm.id) USING ascii) " +
      "WHERE realm.subdomain LIKE 'idle-%'",
  );
  await database.query("DELETE FROM kernel_counters WHERE tenant LIKE 'tel:idle%'");
  await database.query("DELETE FROM chat_realms WHERE subdomain LIKE 'idle-%'");
  await database.query("DELETE FROM tel_webhooks WHERE company_id LIKE 'idle%'");
  await database.query("DELETE FROM tel_companies WHERE id LIKE 'idle%'");
}
