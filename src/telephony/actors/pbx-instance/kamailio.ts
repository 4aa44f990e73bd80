/** PBX driver for Kamailio. Digests in its `subscriber` table take effect at once; registrations are removed by RPC. */
import { createHash } from 'node:crypto';
import { withDeadline, DeadlineExceeded } from '../../../kernel/deadline';
import type { Kernel } from '../../../kernel/kernel';
import { isUnreachable } from '../../../kernel/mysql/outcome';
import { closeMysql, openMysql, type Database } from '../../../kernel/mysql/pool';
import type { Instance } from '../../model/sites/site';
import * as subscribers from '../../store/extensions/subscribers';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { callPbx, healthBy, splitCredentials, untilDeadline } from './pbx-http';

const digestOf = (text: string): string => createHash('md5').update(text).digest('hex');

const CONNECTIONS = 4;
const DEADLINE_MS = 5000;
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Beside the deadline of the order: a phone must not stay registered because the database took all of the time. */
const FORGET_MS = 2000;

/**
 * One connection pool per instance, opened on first use, closed when the address changes or the process ends. A pool
 * closes idle connections after half a minute, so that of a removed instance holds none.
 */
export class KamailioPools {
  readonly #pools = new Map<string, { readonly databaseUrl: string; readonly db: Database }>();

  of(uuid: string, databaseUrl: string): Database {
    const open = this.#pools.get(uuid);
    if (open?.databaseUrl === databaseUrl) return open.db;
    if (open) void closeMysql(open.db);
    const times = { mysqlDeadlineMs: DEADLINE_MS, mysqlAcquireMs: DEADLINE_MS };
    const db = openMysql({ databaseUrl, mysqlConnections: CONNECTIONS, ...times });
    this.#pools.set(uuid, { databaseUrl, db });
    return db;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ db }) => closeMysql(db)));
  }
}

/** Inserts the stored credentials (`user:password`) into the database URL. */
function databaseUrl(address: string, credentials: string | null): string {
  const url = new URL(address);
  const [user, password] = splitCredentials(credentials ?? '');
  if (user !== '') url.username = encodeURIComponent(user);
  if (password !== '') url.password = encodeURIComponent(password);
  return url.href;
}

/** The subscriber row of an extension; Kamailio stores nothing else. */
function subscriberOf({ number, secret, operation = '' }: Held, domain: string): subscribers.Subscriber {
  const username = String(number);
  const password = String(secret);
  const ha1 = digestOf(`${username}:${domain}:${password}`);
  return { username, ha1, ha1b: digestOf(`${username}@${domain}:${domain}:${password}`), operation };
}

const held = ({ username, ha1, operation }: subscribers.Subscriber): Held => ({
  number: Number(username),
  ha1,
  operation,
});

export function kamailioPbx(
  kernel: Pick<Kernel, 'log' | 'pause' | 'secrets'>,
  instance: Instance & { readonly credentials?: string | null },
  pools: KamailioPools,
): PbxDriver {
  const sealed = instance.credentials ?? null;
  const credentials = sealed === null ? null : kernel.secrets.decrypt(sealed);
  const domain = instance.details['external_domain'] ?? '';
  const rpc = instance.details['rpc'] ?? '';

  function open(): Database {
    try {
      return pools.of(instance.uuid, databaseUrl(instance.address, credentials));
    } catch (error) {
      // The URL has an unknown option, or names a certificate that cannot be read.
      throw new PbxError('away', 'The address of the PBX cannot be used', error);
    }
  }

  async function call<T>(context: CallContext, work: (db: Database) => Promise<T>): Promise<T> {
    const db = open();
    try {
      return await withDeadline('The PBX', Math.max(1, Math.round(context.deadlineMs)), work(db));
    } catch (error) {
      throw troubleOf(error);
    }
  }

  /** Removes the registration, because a registered phone stays registered even if its credentials change. */
  async function forget(number: number, deadlineMs: number): Promise<void> {
    if (rpc === '') return;
    const body = { jsonrpc: '2.0', method: 'ul.rm', params: ['location', `${number}@${domain}`], id: 1 };
    const call = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body), deadlineMs };
    await callPbx(rpc, call).catch((error: unknown) =>
      kernel.log.warn({ error, instance: instance.uuid }, 'could not remove a registration'),
    );
  }

  async function put(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const wanted = subscriberOf(extension, domain);
    const before = await call(step(), (db) => subscribers.byName(db, domain, wanted.username));
    await call(step(), (db) => subscribers.put(db, domain, wanted));
    await kernel.pause('mid-call');
    if (before && before.ha1 !== wanted.ha1) await forget(extension.number, FORGET_MS);
  }

  return {
    create: put,
    update: put,
    async delete(number, context) {
      await call(context, (db) => subscribers.remove(db, domain, String(number)));
      await kernel.pause('mid-call');
      await forget(number, FORGET_MS);
    },
    async get(number, context) {
      const found = await call(context, (db) => subscribers.byName(db, domain, String(number)));
      return found && held(found);
    },
    list: async (context) => (await call(context, (db) => subscribers.list(db, domain))).map(held),
    shows: (extension) => held(subscriberOf(extension, domain)),
    registered: async (numbers, context) =>
      (await call(context, (db) => subscribers.registeredAmong(db, domain, numbers.map(String)))).map(Number),
    health: (context) =>
      healthBy(async () => {
        const { length } = await call(context, (db) => subscribers.list(db, domain));
        return `a registrar, which carries no calls: ${length} subscribers of ${domain}`;
      }),
  };
}

function troubleOf(error: unknown): PbxError {
  if (error instanceof PbxError) return error;
  if (error instanceof DeadlineExceeded) return new PbxError('silent', 'The PBX did not answer in time', error);
  const code = (error as { code?: string }).code ?? '';
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return new PbxError('away', 'The PBX cannot be reached', error);
  if (isUnreachable(error)) return new PbxError('cut', 'The PBX cut the connection', error);
  return new PbxError('error', `The PBX answered an error (${code || 'unknown'})`, error);
}
