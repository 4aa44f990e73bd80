/**
 * A Redis that lost data lost jobs too: those still in the outbox are put into their queues again. It loses everything
 * when it starts empty, and the newest writes when it is restored, killed, or replaced by a replica of it.
 */
import type { Kernel } from '../kernel';
import { installationKey } from '../redis/keys';
import { JOB_PUBLISHER } from './job';

/** The parts of a kernel that this needs. */
type Parts = Pick<Kernel, 'redis' | 'mysql' | 'log' | 'namespace'>;

/**
 * What lies in Redis beside the jobs: on which server it was written, and when by MySQL's clock. Redis loses writes only
 * from the end, so all that was queued before that time is there too.
 */
interface Mark {
  readonly server: string;
  readonly at: number;
}

/** What lies there, and which server says so. */
const LOOK = "return {redis.call('INFO', 'server'), redis.call('GET', KEYS[1])}";

/** How long a process may go on writing to a server that was replaced, before it notices. */
const UNNOTICED_MS = 60_000;
/** An older mark only means that more jobs are put back, which may be done twice. */
const RENEW_MS = 5000;

export class JobRestorer {
  readonly #parts: Parts;
  /** What this process last wrote. */
  #written: Mark | undefined;
  /** When, in milliseconds of the process. */
  #writtenAt = 0;
  /** Counts connections: a mark must not be written where nobody has looked for losses. */
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
   * Called whenever Redis has become reachable, or was seen without the mark. A job that was done already may then be done
   * again, which must change nothing: that is what every job promises.
   */
  async restore(): Promise<void> {
    const connection = this.#connection;
    const { server, mark } = await this.#look();
    const isSame = mark?.server === server && (this.#written?.server ?? server) === server;
    const jobs = isSame ? 0 : await this.#putBack(mark);
    // Last: a process that dies before this line leaves the work to the next one.
    await this.#write(server, connection);
    if (jobs > 0) this.#parts.log.warn({ jobs }, 'redis may have lost jobs; putting them into their queues again');
  }

  /** Renews the mark on a server whose losses this process has made up for. */
  async renew(): Promise<void> {
    if (!this.#written || performance.now() - this.#writtenAt < RENEW_MS) return;
    await this.#write(this.#written.server, this.#connection);
  }

  /** Without a mark Redis may have lost everything. */
  #putBack(mark: Mark | undefined): Promise<number> {
    const { mysql } = this.#parts;
    const from = mark && Math.max(0, Math.min(mark.at, this.#written?.at ?? mark.at) - UNNOTICED_MS);
    return mysql('kernel_outbox')
      .where({ carrier: JOB_PUBLISHER, is_replayable: false })
      .whereNotNull('carried_at')
      .modify((query) => void (from && query.where('carried_at', '>', mysql.raw('FROM_UNIXTIME(?)', [from / 1000]))))
      .update({ carried_at: null, claimed_until: null });
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

  /** A script: the server that has the key must answer. Its name differs after every start, and from its replicas'. */
  async #look(): Promise<{ readonly server: string; readonly mark: Mark | undefined }> {
    const [info, written] = (await this.#parts.redis.commands.eval(LOOK, 1, this.#key)) as [string, string | null];
    const [server = '', at = '0'] = written?.split(' ') ?? [];
    const own = /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
    if (written !== null) return { server: own, mark: { server, at: Number(at) } };
    return { server: own, mark: (await this.#hasFormerMark()) ? { server: own, at: 0 } : undefined };
  }

  /** Release 0.1 has a mark elsewhere, which says no more than that nothing was lost. */
  async #hasFormerMark(): Promise<boolean> {
    return (await this.#parts.redis.commands.exists(`${this.#parts.namespace}:kept`)) === 1;
  }

  /** Beside the jobs. */
  get #key(): string {
    return installationKey(this.#parts.namespace, 'kept');
  }
}
