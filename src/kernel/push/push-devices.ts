/**
 * Rows of devices that receive pushes. Each product has a table of its own, whose rows end with the session of their
 * browser: id, the owner's columns, session_id, endpoint_hash, sealed, agent, created_at, seen_at, pushed_at.
 */
import type { Knex } from 'knex';
import type { Secrets } from '../secrets/secrets';
import type { PushAddress } from './push-address';

/** Beyond this, the device goes that was not seen for longest. */
const MAX_DEVICES = 10;
const MAX_AGENT_LENGTH = 200;

type Owner = Readonly<Record<string, string | number>>;

export interface NewPushDevice extends PushAddress {
  /** Null for a device that signs in with a key. */
  readonly sessionId: number | null;
  readonly agent: string;
  /** What the product's table has besides. */
  readonly more?: Readonly<Record<string, string>>;
}

export interface PushDevice {
  readonly id: number;
  readonly sessionId: number | null;
  readonly agent: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
}

/** Something to push to, with its owner. */
export interface PushTarget extends PushAddress {
  readonly id: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** How long ago the last push was; undefined before the first. */
  readonly idleMs: number | undefined;
}

export type PushDevices = ReturnType<typeof pushDevicesIn>;

/** Of a table, whose owners are named by this column. */
export function pushDevicesIn(table: string, column: string) {
  const ofOwner = (db: Knex, owner: string | number) => db(table).where({ [column]: owner });
  return {
    /** Writes a device, or what has changed of it. One that had another owner is new. */
    async put(db: Knex, secrets: Secrets, owner: Owner, device: NewPushDevice): Promise<number> {
      const { endpoint, p256dh, auth, sessionId, agent, more = {} } = device;
      const hash = { endpoint_hash: secrets.lookup(endpoint) };
      await db(table)
        .where(hash)
        .whereNot({ [column]: owner[column] })
        .delete();
      const columns = {
        session_id: sessionId,
        sealed: secrets.encrypt(JSON.stringify({ endpoint, p256dh, auth })),
        agent: agent.slice(0, MAX_AGENT_LENGTH),
        seen_at: db.raw('NOW(3)'),
        ...more,
      };
      await db(table)
        .insert({ ...owner, ...hash, ...columns, created_at: db.raw('NOW(3)') })
        .onConflict()
        .merge(columns);
      const surplus = (await ofOwner(db, owner[column]!)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_DEVICES)
        .limit(1000)
        .pluck('id')) as number[];
      if (surplus.length > 0) await db(table).whereIn('id', surplus).delete();
      const { id } = (await db(table).where(hash).first('id')) as { id: number };
      return id;
    },

    /** Whether the owner has a device of this address. */
    isKnown: async (db: Knex, secrets: Secrets, owner: string | number, { endpoint }: PushAddress): Promise<boolean> =>
      (await ofOwner(db, owner)
        .where({ endpoint_hash: secrets.lookup(endpoint) })
        .first('id')) !== undefined,

    list: (db: Knex, owner: string | number): Promise<PushDevice[]> =>
      ofOwner(db, owner)
        .orderBy('id')
        .select('id', 'agent', { sessionId: 'session_id', createdAt: 'created_at', seenAt: 'seen_at' }),

    async remove(db: Knex, owner: string | number, id: number): Promise<boolean> {
      return (await ofOwner(db, owner).where({ id }).delete()) > 0;
    },

    /** Those that sign in with a key, which has changed. */
    removeKeyed: (db: Knex, owner: string | number): Promise<number> =>
      ofOwner(db, owner).whereNull('session_id').delete(),

    async find(db: Knex, secrets: Secrets, id: number): Promise<PushTarget | undefined> {
      const row = (await db(table)
        .where({ id })
        .first('*', { idle: db.raw('TIMESTAMPDIFF(MICROSECOND, pushed_at, NOW(3)) DIV 1000') })) as
        | { sealed: string; idle: number | null }
        | undefined;
      if (!row) return undefined;
      const address = JSON.parse(secrets.decrypt(row.sealed)) as PushAddress;
      return { ...address, id, row: { ...row }, idleMs: row.idle ?? undefined };
    },

    async notePush(db: Knex, id: number): Promise<void> {
      await db(table)
        .where({ id })
        .update({ pushed_at: db.raw('NOW(3)') });
    },

    /** Its subscription has ended. */
    async end(db: Knex, id: number): Promise<void> {
      await db(table).where({ id }).delete();
    },
  };
}
