/** A small organisation beside others: a few people in one stream, and bots for external services. */
import type { Connection } from 'mysql2/promise';
import { INCOMING_WEBHOOK } from '../../src/chat/model/users/user';
import { openSecrets } from '../../src/kernel/secrets/secrets';
import { insertRows } from './crowd';
import type { Bench } from './stage';

export interface SmallOrganisation {
  readonly host: string;
  /** The Authorization headers of its people. */
  readonly people: readonly string[];
  /** The keys of its bots. */
  readonly bots: readonly string[];
}

/** Environment of the nodes that serve it. */
export const SEVERAL = { EXTERNAL_HOST: 'chat.test' } as const;
export const STREAM = 'talk';

interface Wanted {
  readonly subdomain: string;
  readonly people: number;
  readonly bots: number;
}

async function insert(database: Connection, sql: string, values: readonly unknown[]): Promise<number> {
  const [{ insertId }] = (await database.query(sql, [...values])) as unknown as [{ insertId: number }];
  return insertId;
}

export async function makeOrganisation(bench: Bench, database: Connection, wanted: Wanted): Promise<SmallOrganisation> {
  const { subdomain } = wanted;
  const secrets = openSecrets(bench.environment['SECRET_KEY']!);
  const realmId = await insert(
    database,
    "INSERT INTO chat_realms (subdomain, name, description, settings, created_at) VALUES (?, ?, '', '{}', NOW(3))",
    [subdomain, subdomain],
  );
  const keyOf = (at: number) => `${subdomain}${at}`.padStart(32, 'k');
  const emailOf = (at: number) => `person${at}@example.com`;
  const count = wanted.people + wanted.bots;
  const all = Array.from({ length: count }, (_, at) => at);
  await insertRows(
    database,
    'chat_users',
    ['realm_id', 'email', 'full_name', 'short_name', 'role', 'settings', 'key_hash', 'key_sealed', 'joined_at'],
    all.map((at) => {
      const key = keyOf(at);
      const names = [emailOf(at), `Person ${at}`, 'p', 'member', '{}'];
      return [realmId, ...names, secrets.lookup(key), secrets.encrypt(key), new Date()];
    }),
  );
  const [rows] = (await database.query('SELECT id FROM chat_users WHERE realm_id = ? ORDER BY id', [
    realmId,
  ])) as unknown as [{ id: number }[]];
  const ids = rows.map(({ id }) => id);
  await database.query('UPDATE chat_users SET bot_type = ?, bot_owner_id = ? WHERE realm_id = ? AND id >= ?', [
    INCOMING_WEBHOOK,
    ids[0],
    realmId,
    ids[wanted.people],
  ]);
  const streamId = await insert(database, 'INSERT INTO chat_recipients (realm_id) VALUES (?)', [realmId]);
  await database.query(
    "INSERT INTO chat_streams (id, realm_id, name, rendered_description, created_at) VALUES (?, ?, ?, '', NOW(3))",
    [streamId, realmId, STREAM],
  );
  await insertRows(
    database,
    'chat_subscriptions',
    ['recipient_id', 'user_id', 'from_id', 'created_at'],
    ids.map((id) => [streamId, id, 1, new Date()]),
  );
  const authorizationOf = (at: number) => `Basic ${Buffer.from(`${emailOf(at)}:${keyOf(at)}`).toString('base64')}`;
  return {
    host: `${subdomain}.${SEVERAL.EXTERNAL_HOST}`,
    people: all.slice(0, wanted.people).map(authorizationOf),
    bots: all.slice(wanted.people).map(keyOf),
  };
}
