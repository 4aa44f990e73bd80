/** This node's cache of organisations' addresses. Every node clears it when an organisation is created or moved. */
import { CachedReads } from '../../kernel/cache/cached-reads';
import type { Kernel } from '../../kernel/kernel';
import { channelName } from '../../kernel/redis/channel';
import {
  requestedHost,
  realmUrl,
  subdomainIn,
  type Place,
  type RealmAddress,
  type ServerAddress,
} from '../model/organisation/address';
import type { RealmId } from '../model/organisation/realm';
import * as realmHosts from '../store/organisation/realm-hosts';

/** A node that misses the announcement uses old addresses for this long. Unknown hosts are cached too. */
const BOUNDS = { ttlMs: 60_000, entries: 10_000, bytes: 4 * 1024 * 1024 };
const CHANNEL = 'chat-organisations';

type Parts = Pick<Kernel, 'mysql' | 'redis' | 'channel' | 'namespace' | 'log'>;

export class RealmDirectory {
  /** This server's own address; empty in processes without an HTTP server. */
  readonly server: ServerAddress;
  readonly #kernel: Parts;
  readonly #places = new CachedReads<string, Place>(BOUNDS);
  readonly #addresses = new CachedReads<RealmId, RealmAddress>(BOUNDS);

  constructor(kernel: Parts, { publicUrl, rootDomain }: ServerAddress) {
    this.#kernel = kernel;
    this.server = { publicUrl: publicUrl.replace(/\/$/, ''), rootDomain };
  }

  /** Which organisation a host belongs to. */
  place(host: string): Promise<Place> {
    const name = requestedHost(host);
    return this.#places.get(name, () => this.#readPlace(name));
  }

  /** The same synchronously, if it is cached. The name must be normalised by `requestedHost`. */
  cachedPlace(name: string): Place | undefined {
    return this.#places.getRefreshed(name, () => this.#readPlace(name));
  }

  async #readPlace(host: string): Promise<Place> {
    const subdomain = subdomainIn(host, this.server.rootDomain);
    const { own, alone, named } = await realmHosts.at(this.#kernel.mysql, host, subdomain);
    // A single organisation answers to every host name, so that none needs to be configured.
    const found = own ?? alone;
    if (found !== null) return found;
    return subdomain === '' ? 'bare' : (named ?? 'nowhere');
  }

  /** The base URL for links to the organisation. */
  async publicUrl(realmId: RealmId): Promise<string> {
    return realmUrl(this.server, await this.#address(realmId));
  }

  /** The subdomain, which messages give as `sender_realm_str`. */
  async subdomain(realmId: RealmId): Promise<string> {
    return (await this.#address(realmId)).subdomain;
  }

  #address(realmId: RealmId): Promise<RealmAddress> {
    return this.#addresses.get(realmId, () => realmHosts.addressOf(this.#kernel.mysql, realmId));
  }

  #clear(): void {
    this.#places.clear();
    this.#addresses.clear();
  }

  /** Subscribes to announcements of moves. Startup does not wait for it: a node can serve without it. */
  listen(): void {
    const clear = () => this.#clear();
    this.#kernel.channel
      .listen(CHANNEL, { receive: clear, resumed: clear })
      .catch((error: Error) => this.#kernel.log.debug({ error }, 'could not subscribe to moved organisations'));
  }

  /** Called by commands after they have committed a move. */
  async announceMove(): Promise<void> {
    this.#clear();
    try {
      await this.#kernel.redis.commands.publish(channelName(this.#kernel.namespace, CHANNEL), '');
    } catch (error) {
      this.#kernel.log.warn(
        { error },
        'could not tell other nodes that an organisation moved; they notice within a minute',
      );
    }
  }
}
