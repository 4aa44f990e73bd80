/**
 * The company feeds of this node. A feed opens for a company's first socket and closes when it is idle. Feeds are
 * compared with the database periodically, because nothing reveals that the last push was lost. Also follows the log of
 * revoked access.
 */
import { Changes } from '../../kernel/cache/changes';
import { LogFollower } from '../../kernel/event-log/follower';
import { headsInOutbox, logInOutbox } from '../../kernel/event-log/sources';
import type { Kernel } from '../../kernel/kernel';
import { dropConnection, waitingFor, type Namespace, type Socket } from '../../kernel/socket/server';
import { ACCESS_LOG } from '../model/companies/key';
import { companyTenant, type CompanyId } from '../model/companies/company';
import type { FeedSettings } from '../settings';
import { findAccess } from '../queries/companies/find-caller';
import { CompanyFeed } from './company-feed';

type Parts = Pick<Kernel, 'lifecycle' | 'log' | 'mysql' | 'settings' | 'socketEvents'>;

const COMPARE_MS = 2000;
/** A client that reloads its page is back before that. */
const IDLE_MS = 30_000;
/** The backlog of one slow client. Beyond it the client is disconnected, and catches up when it reconnects. */
const MAX_WAITING = { packets: 2000, bytes: 8 * 1024 * 1024 };
const MAX_COMPARED = 1000;

export class Feeds {
  /** Changes of access that this node has seen. */
  readonly accessChanges = new Changes<CompanyId>();
  readonly #kernel: Parts;
  readonly #settings: FeedSettings;
  readonly #feeds = new Map<CompanyId, CompanyFeed>();
  /** Companies whose sockets' access must be rechecked. */
  readonly #doubtful = new Set<CompanyId>();
  readonly #access: LogFollower;
  #opening: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(kernel: Parts, settings: FeedSettings) {
    this.#kernel = kernel;
    this.#settings = settings;
    this.#access = new LogFollower(kernel, logInOutbox(kernel, ACCESS_LOG), (events) => {
      this.doubt(events.map(({ body }) => body as CompanyId));
    });
  }

  /** Opened before the first socket, so that every later loss of access is noticed. */
  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: Error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    await this.#access.open();
    this.#compareLater();
    this.#kernel.lifecycle.on('sockets', 'feeds', async () => {
      clearTimeout(this.#timer);
      await Promise.all([this.#access, ...this.#feeds.values()].map((each) => each.close()));
    });
  }

  async of(companyId: CompanyId, rooms: Namespace): Promise<CompanyFeed> {
    let feed = this.#feeds.get(companyId);
    if (!feed) this.#feeds.set(companyId, (feed = new CompanyFeed(this.#kernel, this.#settings, rooms, companyId)));
    feed.idleSince = Date.now();
    await feed.open();
    return feed;
  }

  /** Rechecks the access of a company's sockets now. */
  async recheck(companyId: CompanyId): Promise<void> {
    const members = [...(this.#feeds.get(companyId)?.members ?? [])];
    if (members.length === 0) return;
    const ids = [...new Set(members.map(({ contactId }) => contactId))];
    const { keyHashes, contactIds } = await findAccess(this.#kernel.mysql, companyId, ids);
    for (const member of members) {
      if (!keyHashes.has(member.keyHash)) member.cut('The API key is no longer valid');
      else if (!contactIds.has(member.contactId)) member.cut('The user is no longer there');
    }
  }

  /** Marks companies whose sockets' access may have changed, and rechecks them until that succeeds. */
  doubt(companyIds: readonly CompanyId[]): void {
    for (const id of companyIds) {
      this.#doubtful.add(id);
      this.accessChanges.note(id);
    }
    void this.#recheckDoubtful();
  }

  async #recheckDoubtful(): Promise<void> {
    const retry: CompanyId[] = [];
    for (const companyId of this.#doubtful) {
      // Removed before the check, so that a change during the check is noted again.
      this.#doubtful.delete(companyId);
      try {
        await this.recheck(companyId);
      } catch (error) {
        retry.push(companyId);
        this.#kernel.log.warn({ error, companyId }, 'could not check the access rights of sockets; trying again');
      }
    }
    for (const companyId of retry) this.#doubtful.add(companyId);
  }

  #compareLater(): void {
    this.#timer = setTimeout(
      () => void this.#compare().finally(() => this.#kernel.lifecycle.draining.aborted || this.#compareLater()),
      COMPARE_MS * (0.75 + Math.random() / 2),
    );
  }

  async #compare(): Promise<void> {
    this.#tidy();
    if (this.#doubtful.size > 0) await this.#recheckDoubtful();
    const feeds = [...this.#feeds.values()];
    for (let start = 0; start === 0 || start < feeds.length; start += MAX_COMPARED) {
      const some = feeds.slice(start, start + MAX_COMPARED);
      const tenants = [ACCESS_LOG, ...some.map(({ companyId }) => companyTenant(companyId))];
      try {
        const heads = await headsInOutbox(this.#kernel.mysql, tenants);
        await this.#access.compare(heads.get(ACCESS_LOG) ?? 0);
        await Promise.all(some.map((feed) => feed.compare(heads.get(companyTenant(feed.companyId)) ?? 0)));
      } catch (error) {
        this.#kernel.log.debug({ error }, 'could not compare the event numbers of companies; trying again');
      }
    }
  }

  #tidy(): void {
    for (const [companyId, feed] of this.#feeds) {
      for (const { socket } of feed.members) if (isTooSlow(socket)) dropConnection(socket);
      if (feed.members.size > 0 || Date.now() - feed.idleSince < IDLE_MS) continue;
      this.#feeds.delete(companyId);
      feed.close().catch((error: Error) => this.#kernel.log.debug({ error }, "could not close a company's event feed"));
    }
  }
}

function isTooSlow(socket: Socket): boolean {
  const { packets, bytes } = waitingFor(socket);
  return packets > MAX_WAITING.packets || bytes > MAX_WAITING.bytes;
}
