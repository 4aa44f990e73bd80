/** Rows of chat_bot_endpoints: the endpoints of outgoing webhook bots. */
import type { Knex } from 'knex';
import { known, readOf, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Endpoint, EndpointInterface } from '../../model/bots/outgoing-webhook';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import { put } from '../rows';

interface Row {
  readonly user_id: UserId;
  readonly name: string;
  readonly interface: EndpointInterface;
  readonly url_sealed: string;
  readonly token_sealed: string;
}

const endpointOf = (row: Row, secrets: Secrets): Endpoint => ({
  name: row.name,
  interface: row.interface,
  url: secrets.decrypt(row.url_sealed),
  token: secrets.decrypt(row.token_sealed),
});

type Endpoints = ReadonlyMap<UserId, Endpoint>;

export function listRead(secrets: Secrets, ids: readonly UserId[]): Read<Endpoints> {
  if (ids.length === 0) return known(new Map<UserId, Endpoint>());
  return readOf(
    'SELECT user_id, name, interface, url_sealed, token_sealed FROM chat_bot_endpoints WHERE user_id IN (?)',
    [ids],
    (rows: readonly Row[]) => new Map(rows.map((row) => [row.user_id, endpointOf(row, secrets)])),
  );
}

export const list = (db: Knex, secrets: Secrets, ids: readonly UserId[]): Promise<Endpoints> =>
  runRead(db, listRead(secrets, ids));

export async function find(db: Knex, secrets: Secrets, id: UserId): Promise<Endpoint | undefined> {
  return (await list(db, secrets, [id])).get(id);
}

/** An organisation's active outgoing webhook bots. */
export async function callable(db: Knex, realmId: RealmId): Promise<ReadonlySet<UserId>> {
  const ids: unknown = await db('chat_bot_endpoints')
    .join('chat_users', 'chat_users.id', 'chat_bot_endpoints.user_id')
    .where({ 'chat_bot_endpoints.realm_id': realmId, is_active: true })
    .pluck('user_id');
  return new Set(ids as UserId[]);
}

export async function set(db: Knex, secrets: Secrets, bot: User, endpoint: Endpoint): Promise<void> {
  const columns = {
    name: endpoint.name,
    interface: endpoint.interface,
    url_sealed: secrets.encrypt(endpoint.url),
    token_sealed: secrets.encrypt(endpoint.token),
  };
  await put(db('chat_bot_endpoints'), { user_id: bot.id, realm_id: bot.realmId }, columns);
}
