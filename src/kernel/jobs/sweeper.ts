/**
 * Sweeps: looks for due work that no worker was woken for, and deletes what is over. One statement finds what is due for
 * everything that a process looks for. Processes that look for the same take turns, so that the number of processes does
 * not multiply the statements. A turn is a key in Redis that expires: if its process dies, the next turn is not late.
 */
import { createHash } from 'node:crypto';
import type { Lifecycle } from '../lifecycle';
import type { Log } from '../log';
import type { Database } from '../mysql/pool';
import { readTogether, type Query } from '../mysql/read-together';
import type { Keyspace } from '../redis/connections';
import { installationKey } from '../redis/keys';
import type { KernelSettings } from '../settings';

/** An address with work that is due. */
export interface Found {
  readonly address: string;
  /** As the table has it. */
  readonly tenant: string | null;
}

export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  /** Queries of the columns `address` and `tenant`; none if there is nothing to look for. */
  find(db: Database): readonly Query[];
  /** Called if something was found, and not again before it has ended. */
  found(rows: readonly Found[]): Promise<unknown> | void;
}

export interface Clearing {
  readonly table: string;
  readonly key: string;
  /** The rows to delete: queries of the table. */
  old(db: Database): readonly Query[];
}

interface Parts extends Keyspace {
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  readonly mysql: Database;
  readonly settings: Pick<KernelSettings, 'housekeepingMs'>;
}

/** One collation, as the columns of a UNION must agree. */
const asText = (column: string): string => `CONVERT(found.${column} USING utf8mb4) COLLATE utf8mb4_bin AS ${column}`;
const COLUMNS = [asText('address'), asText('tenant')].join(', ');
const MAX_CLEARED = 500;
const SOON_MS = 200;
/** A turn is over slightly before the next begins, so that one process alone misses none. */
const SLACK = 0.9;

export class Sweeper {
  readonly #parts: Parts;
  readonly #sweeps: Sweep[] = [];
  readonly #clearings = new Set<Clearing>();
  /** When this process last did it, by name. */
  readonly #last = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();
  #group = '';
  #before: () => Promise<unknown> = () => Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sweeps until the process drains. `before` comes before each sweep; it must not throw. */
  start(before: () => Promise<unknown>): void {
    this.#before = before;
    for (const { name } of this.#sweeps) this.#last.set(name, performance.now());
    this.#wait(this.#everyMs());
  }

  add(sweeps: readonly Sweep[], clearings: readonly Clearing[] = []): void {
    this.#sweeps.push(...sweeps);
    for (const clearing of clearings) this.#clearings.add(clearing);
    const all = [...this.#sweeps.map(({ name, everyMs }) => `${name} ${everyMs}`), ...this.#tables()];
    // Soon, as a worker that has just started may be the first after an outage; together with what else it looks for.
    this.#wait(Math.min(this.#everyMs(), SOON_MS));
    this.#group = createHash('sha256').update(all.sort().join()).digest('hex').slice(0, 16);
  }

  /** Waits for what has begun. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sweeping;
    await Promise.all(this.#running.values());
  }

  /** How often something has to be looked for. */
  #everyMs(): number {
    return Math.min(...this.#sweeps.map(({ everyMs }) => everyMs));
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#parts.lifecycle.draining.aborted) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweeping.then(() => this.#sweep()).finally(() => this.#wait(this.#everyMs()));
    }, ms);
  }

  async #sweep(): Promise<void> {
    const { log, settings } = this.#parts;
    await this.#before();
    try {
      if (await this.#isTurn('sweep', this.#everyMs())) await this.#findDue();
      if (this.#clearings.size === 0 || !this.#isDue('clearing', settings.housekeepingMs)) return;
      if (await this.#isTurn('clear', settings.housekeepingMs)) this.#begin('clearing', () => this.#clear());
    } catch (error) {
      log.debug({ error }, 'could not sweep; trying again');
    }
  }

  /** If Redis cannot tell, it is everybody's turn. */
  #isTurn(what: string, everyMs: number): Promise<boolean> {
    const { namespace, redis } = this.#parts;
    const key = installationKey(namespace, `turn:${what}:${this.#group}`);
    return redis.commands.set(key, '1', 'PX', Math.ceil(everyMs * SLACK), 'NX').then(
      (taken) => taken === 'OK',
      () => true,
    );
  }

  #isDue(name: string, everyMs: number): boolean {
    const now = performance.now();
    if (now - (this.#last.get(name) ?? -Infinity) < everyMs * SLACK) return false;
    this.#last.set(name, now);
    return true;
  }

  async #findDue(): Promise<void> {
    const { mysql, log } = this.#parts;
    const due = this.#sweeps.filter(({ name, everyMs }) => this.#isDue(name, everyMs));
    for (const { sweep, rows } of await findDue(mysql, due)) {
      if (rows instanceof Error) log.debug({ error: rows, sweep: sweep.name }, 'could not look for work; trying again');
      else if (rows.length > 0) this.#begin(sweep.name, async () => void (await sweep.found(rows)));
    }
  }

  /** Not awaited: what takes long must not hold up the other sweeps. */
  #begin(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const running = work()
      .catch((error: unknown) => this.#parts.log.debug({ error, sweep: name }, 'a sweep failed; trying again'))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
  }

  async #clear(): Promise<void> {
    for (const table of this.#tables()) {
      while (!this.#parts.lifecycle.draining.aborted && (await this.#clearSome(table)));
    }
  }

  /**
   * Returns whether more may be left. The rows are found first and then deleted by their key. A DELETE that finds rows by
   * another index locks that index before the row; an UPDATE of the row locks them in the opposite order.
   */
  async #clearSome(table: string): Promise<boolean> {
    const { mysql } = this.#parts;
    const clearings = [...this.#clearings].filter((each) => each.table === table);
    const { key } = clearings[0]!;
    const queries = clearings.flatMap((each) => each.old(mysql));
    const old = queries.map((query) => query.clone().limit(MAX_CLEARED).select({ id: key }));
    let isMore = false;
    for (const [index, rows] of (await readTogether<{ id: number | string }>(mysql, 'found.id', old)).entries()) {
      if (rows instanceof Error) throw rows;
      const ids = rows.map(({ id }) => id);
      // The conditions again: a row may have been put back by now.
      if (ids.length > 0) await queries[index]!.clone().whereIn(key, ids).delete();
      isMore ||= ids.length === MAX_CLEARED;
    }
    return isMore;
  }

  #tables(): ReadonlySet<string> {
    return new Set([...this.#clearings].map(({ table }) => table));
  }
}

/** What each of them finds. */
export async function findDue(
  db: Database,
  sweeps: readonly Sweep[],
): Promise<{ readonly sweep: Sweep; readonly rows: readonly Found[] | Error }[]> {
  const queries = sweeps.map((sweep) => sweep.find(db));
  const found = await readTogether<Found>(db, COLUMNS, queries.flat());
  return sweeps.map((sweep, index) => {
    const own = found.splice(0, queries[index]!.length);
    return {
      sweep,
      rows: own.find((rows) => rows instanceof Error) ?? own.flatMap((rows) => rows as readonly Found[]),
    };
  });
}
