/**
 * Caches who calls with an API key, so that frequent requests need no MySQL query. Every loss of access is an event in
 * one log for all companies, which a node follows while it caches. Key and user are those of the database at most
 * `CURRENT_MS` ago, even if pushes are lost.
 */
import { Cache } from '../../kernel/cache/cache';
import { Changes } from '../../kernel/cache/changes';
import { LogFollower } from '../../kernel/event-log/follower';
import { SOCKET_PUBLISHER } from '../../kernel/event-log/socket-events';
import { headsInOutbox, logInOutbox } from '../../kernel/event-log/sources';
import type { Kernel } from '../../kernel/kernel';
import { uncounted } from '../../kernel/mysql/round-trips';
import type { CompanyId } from '../model/companies/company';
import { ACCESS_LOG } from '../model/companies/key';
import type { CallerRow } from '../store/companies/keys';

type Parts = Pick<Kernel, 'lifecycle' | 'log' | 'mysql' | 'outbox' | 'settings' | 'socketEvents'>;

/** Without a comparison for this long, a change may have been missed. */
const CURRENT_MS = 5000;
/** Requests cause a comparison after this time. A node without requests compares nothing. */
const COMPARE_MS = 2000;
/** Callers are looked up again after this time in any case, which also records that their key is in use. */
const MAX_MS = 60_000;
const BOUNDS = { entries: 50_000, bytes: 24 * 1024 * 1024, ttlMs: MAX_MS };

/** A caller who was let in. Those who were refused are not cached. */
interface Known {
  readonly caller: CallerRow;
  /** By the clock of the changes. */
  readonly moment: number;
  /** When the key expires, by `performance.now()`. */
  readonly endsAt: number;
}

export class KeyCallers {
  readonly #kernel: Parts;
  readonly #known = new Cache<string, Known>(BOUNDS);
  readonly #changes = new Changes<CompanyId>();
  readonly #follower: LogFollower;
  #isOpen = false;
  #isComparing = false;
  #comparedAt = -Infinity;

  constructor(kernel: Parts) {
    this.#kernel = kernel;
    this.#follower = new LogFollower(kernel, logInOutbox(kernel, ACCESS_LOG), (events) => {
      for (const { body } of events) this.#changes.note(body as CompanyId);
    });
    // On the node that changes something, the change applies at once, even before it is published.
    kernel.outbox.watch(({ publisher, tenant }) => {
      if (publisher === SOCKET_PUBLISHER && tenant === ACCESS_LOG) this.#changes.noteAll();
    });
  }

  /** The caller with this key, who acts as the given user. Undefined if there is none. */
  async find(
    keyHash: string,
    userId: string,
    read: () => Promise<CallerRow | undefined>,
  ): Promise<CallerRow | undefined> {
    const key = `${keyHash}:${userId}`;
    const isCurrent = this.#isCurrent();
    const known = this.#known.get(key);
    if (isCurrent && known && this.#isValid(known)) return known.caller;
    const { now: moment } = this.#changes;
    const caller = await read();
    if (!isCurrent || !caller || caller.contactId === null) return caller;
    const endsAt = caller.leftMs === null ? Infinity : performance.now() + caller.leftMs;
    this.#known.set(key, { caller: { ...caller, isUnnoted: 0 }, moment, endsAt });
    return caller;
  }

  #isValid({ caller, moment, endsAt }: Known): boolean {
    return performance.now() < endsAt && !this.#changes.hasChangedSince(caller.companyId, moment);
  }

  /** Whether every change until a few seconds ago is known. No request waits for that. */
  #isCurrent(): boolean {
    const age = performance.now() - this.#comparedAt;
    if (age >= COMPARE_MS && !this.#isComparing) {
      this.#isComparing = true;
      uncounted(() => this.#compare())
        .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not follow the log of access'))
        .finally(() => (this.#isComparing = false));
    }
    return age < CURRENT_MS;
  }

  async #compare(): Promise<void> {
    const at = performance.now();
    if (!this.#isOpen) await this.#open();
    else await this.#catchUp();
    this.#comparedAt = at;
  }

  async #open(): Promise<void> {
    await this.#follower.open();
    this.#isOpen = true;
    // What was read before the log was followed may be outdated.
    this.#changes.noteAll();
    this.#kernel.lifecycle.on('sockets', 'key-callers', () => this.#follower.close());
  }

  async #catchUp(): Promise<void> {
    const heads = await headsInOutbox(this.#kernel.mysql, [ACCESS_LOG]);
    const head = heads.get(ACCESS_LOG) ?? 0;
    await this.#follower.compare(head);
    if (this.#follower.head < head) throw new Error('the log of access could not be read');
  }
}
