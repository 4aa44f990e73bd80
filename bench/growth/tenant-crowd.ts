/** Creates many organisations in bulk: people spread over them, each with a key and a stream of their own. */
import { createConnection, type Connection } from 'mysql2/promise';
import { openSecrets } from '../../src/kernel/secrets/secrets';
import { insertRows, type Person } from '../harness/crowd';
import type { Bench } from '../harness/stage';

/** The root domain of the organisations' host names. */
export const ROOT_DOMAIN = 'chat.example';

export async function openTenants(bench: Bench, tenants: number, people: number): Promise<Person[]> {
  const database = await createConnection(bench.databaseUrl);
  try {
    return await makeTenants(bench, database, { tenants, people });
  } finally {
    await database.end();
  }
}

async function makeTenants(
  bench: Bench,
  database: Connection,
  { tenants, people }: { tenants: number; people: number },
): Promise<Person[]> {
  const now = new Date();
  const subdomainOf = (at: number) => `t${tenants}n${at}`;
  const realms = await insertNumbered(
    database,
    { table: 'chat_realms', columns: ['subdomain', 'name', 'description', 'settings', 'created_at'] },
    Array.from({ length: tenants }, (_, at) => [subdomainOf(at), `Tenant ${at}`, '', '{}', now]),
  );
  const secrets = openSecrets(bench.environment['SECRET_KEY']!);
  const all = Array.from({ length: people }, (_, at) => ({
    realm: realms[at % tenants]!,
    host: `${subdomainOf(at % tenants)}.${ROOT_DOMAIN}`,
    email: `tenant${at}@example.com`,
    key: `${tenants}x${at}`.padStart(32, 't'),
  }));
  const ids = await insertNumbered(
    database,
    {
      table: 'chat_users',
      columns: 'realm_id email full_name short_name role settings key_hash key_sealed joined_at'.split(' '),
    },
    all.map(({ realm, email, key }, at) => [
      realm,
      email,
      `Tenant ${at}`,
      't',
      'member',
      '{}',
      secrets.lookup(key),
      secrets.encrypt(key),
      now,
    ]),
  );
  const places = await insertNumbered(
    database,
    { table: 'chat_recipients', columns: ['realm_id'] },
    all.map(({ realm }) => [realm]),
  );
  await insertRows(
    database,
    'chat_streams',
    ['id', 'realm_id', 'name', 'rendered_description', 'created_at'],
    all.map(({ realm }, at) => [places[at], realm, String(ids[at]), '', now]),
  );
  await insertRows(
    database,
    'chat_subscriptions',
    ['recipient_id', 'user_id', 'from_id', 'created_at'],
    ids.map((id, at) => [places[at], id, 1, now]),
  );
  return all.map(({ host, email, key }, at) => ({
    id: ids[at]!,
    host,
    authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
  }));
}

/** Inserts rows and returns their ids. Nobody else inserts meanwhile, so they follow the previous maximum in order. */
async function insertNumbered(
  database: Connection,
  { table, columns }: { table: string; columns: readonly string[] },
  rows: readonly (readonly unknown[])[],
): Promise<number[]> {
  const [[{ last }]] = (await database.query(`SELECT COALESCE(MAX(id), 0) AS last FROM ${table}`)) as unknown as [
    [{ last: number }],
  ];
  await insertRows(database, table, columns, rows);
  const [made] = (await database.query(`SELECT id FROM ${table} WHERE id > ? ORDER BY id`, [last])) as unknown as [
    { id: number }[],
  ];
  return made.map(({ id }) => id);
}
