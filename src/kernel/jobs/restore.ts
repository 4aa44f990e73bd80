/**
 * Restores jobs that Redis may have lost: jobs still in the outbox go into their queues again. Redis loses everything
 * when it starts empty, and the newest writes when it is restored, killed, or replaced by its replica.
 */
import type { Log } from '../log';
import type { Database } from '../mysql/pool';
import type { Keyspace } from '../redis/connections';
import { installationKey } from '../redis/keys';
import { JOB_PUBLISHER } from './job';

interface Parts extends Keyspace {
  readonly mysql: Database;
  readonly log: Log;
}

/**
 * A marker beside the jobs in Redis: the server it was written on, and the time by MySQL's clock. Redis loses only its
 * newest writes, so everything that was queued before that time is there too.
 */
interface Mark {
  readonly server: string;
  readonly at: number;
}

/** Reads the marker and the id of the server that holds it. */
const LOOK = "return {redis.call('INFO', 'server'), redis.call('GET', KEYS[1])}";

/** How long a process may keep writing to a replaced server before it notices. */
const UNNOTICED_MS = 60_000;
/** An older marker only means that more jobs are put back, and jobs may run twice. */
const RENEW_MS = 5000;

export class JobRestorer {
  readonly #parts: Parts;
  /** The marker that this process last wrote. */
  #written: Mark | undefined;
  /** By `performance.now()`. */
  #writtenAt = 0;
  /** Counts connections: a marker must not be written on a connection that was not checked for losses. */
  #connection = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.redis.onReachable(() => void (this.#connection += 1));
  }

  /** Whether Redis answers and has lost everything since jobs were last restored. */
  async hasLostAll(): Promise<boolean> {
    return (await this.#look()).mark === undefined;
  }

  /**
   * Called whenever Redis becomes reachable, or is seen without the marker. A finished job may then run again, which
   * must change nothing: every job is idempotent.
   */
  async restore(): Promise<void> {
    const connection = this.#connection;
    const { server, mark } = await this.#look();
    const isSame = mark?.server === server && (this.#written?.server ?? server) === server;
    const jobs = isSame ? 0 : await this.#putBack(mark);
    // Last: if the process dies before this line, the next one does the work.
    await this.#write(server, connection);
    if (jobs > 0) this.#parts.log.warn({ jobs }, 'Redis may have lost jobs; adding them to their queues again');
  }

  /** Renews the marker on a server whose losses this process has repaired. */
  async renew(): Promise<void> {
    if (!this.#written || performance.now() - this.#writtenAt < RENEW_MS) return;
    await this.#write(this.#written.server, this.#connection);
  }

  /** Without a marker Redis may have lost everything. */
  #putBack(mark: Mark | undefined): Promise<number> {
    const { mysql } = this.#parts;
    const from = mark && Math.max(0, Math.min(mark.at, this.#written?.at ?? mark.at) - UNNOTICED_MS);
    return mysql('kernel_outbox')
      .where({ publisher: JOB_PUBLISHER, is_replayable: false })
      .whereNotNull('published_at')
      .modify((query) => void (from && query.where('published_at', '>', mysql.raw('FROM_UNIXTIME(?)', [from / 1000]))))
      .update({ published_at: null, claimed_until: null });
  }

  async #write(server: string, connection: number): Promise<void> {
    const { mysql, redis } = this.#parts;
    const [[{ now }]] = (await mysql.raw('SELECT UNIX_TIMESTAMP(NOW(3)) AS now')) as [[{ now: number | string }]];
    if (connection !== this.#connection) return;
    const mark = { server, at: Math.floor(Number(now) * 1000) };
    await redis.commands.set(this.#key, `${mark.server} ${mark.at}`);
    this.#written = mark;
    this.#writtenAt = performance.now();
  }

  /** A script, so that the key's server answers. Its run_id changes at each start, and differs from its replicas'. */
  async #look(): Promise<{ readonly server: string; readonly mark: Mark | undefined }> {
    const [info, written] = (await this.#parts.redis.commands.eval(LOOK, 1, this.#key)) as [string, string | null];
    const [server = '', at = '0'] = written?.split(' ') ?? [];
    const own = /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
    return { server: own, mark: written === null ? undefined : { server, at: Number(at) } };
  }

  /** In the same hash slot as the jobs. */
  get #key(): string {
    return installationKey(this.#parts.namespace, 'kept');
  }
}
