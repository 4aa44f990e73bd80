/** The texting socket's entry point on a node, and what its sessions share. */
import { addressGroup } from '../../kernel/admission/address-group';
import { openRateLimit, type RateLimit } from '../../kernel/admission/rate-limit';
import { Cache } from '../../kernel/cache/cache';
import { Fault } from '../../kernel/fault';
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';
import type { RateRule } from '../../kernel/settings';
import type { SocketSession } from '../../kernel/socket/server';
import { tooManyAttempts } from '../model/socket-faults';
import type { SocketEntrySettings } from '../settings';
import { Feeds } from './feeds';
import { PresenceReports } from './presence-reports';
import { Session } from './session';

const BOUNDS = { entries: 10_000, bytes: 4 * 1024 * 1024 };

/** Counts failed socket authentications per address across all nodes, and refuses addresses that fail too often. */
class Attempts {
  readonly #limit: RateLimit;
  /** Until when an address is refused. */
  readonly #refused = new Cache<string, number>(BOUNDS);

  constructor(kernel: Keyspace, rule: RateRule | null) {
    this.#limit = openRateLimit(kernel, 'socket-auth', rule);
  }

  /** Throws for an address that failed too often, even if its key is valid. */
  ensureWelcome(from: string): void {
    if ((this.#refused.get(addressGroup(from)) ?? 0) > Date.now()) throw tooManyAttempts();
  }

  async countFailure(from: string): Promise<void> {
    try {
      await this.#limit.count(addressGroup(from));
    } catch (error) {
      if (!(error instanceof Fault)) return;
      this.#refused.set(addressGroup(from), Date.now() + Number(error.fields['retry-after'] ?? 1) * 1000);
    }
  }
}

type Parts = Storage & Keyspace & Pick<Kernel, 'changes' | 'keys' | 'lifecycle' | 'log' | 'settings' | 'socketEvents'>;

export interface SocketContext {
  readonly kernel: Storage & Pick<Kernel, 'changes' | 'keys' | 'log' | 'settings'>;
  readonly settings: SocketEntrySettings;
  readonly feeds: Feeds;
  readonly presence: PresenceReports;
  readonly attempts: Attempts;
  /** The number of sockets per key on this node. */
  readonly keys: Map<string, number>;
}

export function textingSocket(kernel: Parts, settings: SocketEntrySettings): SocketSession {
  const context: SocketContext = {
    kernel,
    settings,
    feeds: new Feeds(kernel, settings),
    presence: new PresenceReports(kernel, settings),
    attempts: new Attempts(kernel, settings.socketAuthLimit),
    keys: new Map(),
  };
  context.presence.open();
  return (socket, from) => void new Session(context, socket, from);
}
