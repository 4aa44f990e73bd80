/** Rows of chat_realm_hosts, and the organisations that a host may belong to. */
import type { Knex } from 'knex';
import type { RealmAddress } from '../../model/organisation/address';
import type { RealmId } from '../../model/organisation/realm';

export interface Candidates {
  /** The organisation with this host name of its own. */
  readonly own: RealmId | null;
  /** The only organisation on this server, if there is just one. */
  readonly alone: RealmId | null;
  /** The organisation with this subdomain. */
  readonly named: RealmId | null;
}

export async function at(db: Knex, host: string, subdomain: string): Promise<Candidates> {
  const [[found]] = (await db.raw(
    `SELECT (SELECT realm_id FROM chat_realm_hosts WHERE host = ?) AS own,
      (SELECT IF(MIN(id) = MAX(id), MIN(id), NULL) FROM chat_realms) AS alone,
      (SELECT id FROM chat_realms WHERE subdomain = ?) AS named`,
    [host, subdomain],
  )) as [[Candidates]];
  return found;
}

export async function addressOf(db: Knex, realmId: RealmId): Promise<RealmAddress> {
  const row = (await db('chat_realms')
    .where({ id: realmId })
    .first('subdomain', {
      host: db.raw('(SELECT host FROM chat_realm_hosts WHERE realm_id = chat_realms.id ORDER BY place LIMIT 1)'),
    })) as RealmAddress | undefined;
  return row ?? { subdomain: '', host: null };
}

export async function list(db: Knex): Promise<{ realmId: RealmId; host: string }[]> {
  return (await db('chat_realm_hosts').orderBy(['realm_id', 'place']).select({ realmId: 'realm_id' }, 'host')) as {
    realmId: RealmId;
    host: string;
  }[];
}

/** Replaces the organisation's host names. */
export async function replace(db: Knex, realmId: RealmId, hosts: readonly string[]): Promise<void> {
  await db('chat_realm_hosts').where({ realm_id: realmId }).delete();
  if (hosts.length > 0) {
    await db('chat_realm_hosts').insert(hosts.map((host, place) => ({ host, realm_id: realmId, place })));
  }
}
