/** Rows of Kamailio's own tables: `subscriber` with the credentials, and `location` with the registered phones. */
import type { Knex } from 'knex';

/** Kamailio never gets the secret, only the digests. */
export interface Subscriber {
  readonly username: string;
  readonly ha1: string;
  readonly ha1b: string;
  readonly operation: string;
}

const FIELDS = ['username', 'ha1', 'ha1b', 'operation'];

/** A single statement, so that a phone sees either the old or the new credentials. */
export async function put(db: Knex, domain: string, { username, ha1, ha1b, operation }: Subscriber): Promise<void> {
  await db('subscriber')
    .insert({ username, domain, password: '', ha1, ha1b, operation })
    .onConflict(['username', 'domain'])
    .merge(['ha1', 'ha1b', 'operation']);
}

export async function remove(db: Knex, domain: string, username: string): Promise<void> {
  await db('subscriber').where({ username, domain }).delete();
}

export async function byName(db: Knex, domain: string, username: string): Promise<Subscriber | undefined> {
  return (await db('subscriber').where({ username, domain }).first(FIELDS)) as Subscriber | undefined;
}

export async function list(db: Knex, domain: string): Promise<Subscriber[]> {
  return (await db('subscriber').where({ domain }).orderBy('username').select(FIELDS)) as Subscriber[];
}

/** Filters the names to those with a phone registered right now. */
export async function registeredAmong(db: Knex, domain: string, names: readonly string[]): Promise<string[]> {
  return (await db('location')
    .where({ domain })
    .whereIn('username', names)
    .where('expires', '>', db.raw('NOW()'))
    .distinct()
    .pluck('username')) as string[];
}
