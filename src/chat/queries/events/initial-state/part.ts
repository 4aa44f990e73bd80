/** One part of the initial state, and its inputs. */
import type { Storage } from '../../../../kernel/kernel';
import type { Database } from '../../../../kernel/mysql/pool';
import type { Keyspace } from '../../../../kernel/redis/connections';
import type { QueueFilters } from '../../../model/events/queue';
import type { Realm } from '../../../model/organisation/realm';
import type { User } from '../../../model/users/user';
import type { ChatSettings } from '../../../settings';
import type { OwnSettings } from '../../users/settings';

export interface StateRequest {
  readonly filters: QueueFilters;
  /** Null for all types. */
  readonly fetchTypes: readonly string[] | null;
  readonly settings: ChatSettings;
  /** The account that sends the server's own messages. */
  readonly systemBot: User;
  /** The organisation's base URL. */
  readonly publicUrl: string;
}

export interface StateView {
  readonly kernel: Storage & Keyspace;
  /** The snapshot that every part reads from. */
  readonly db: Database;
  readonly by: User;
  /** The organisation's users by id: most parts need them. */
  readonly everybody: () => Promise<readonly User[]>;
  readonly realm: () => Promise<Realm>;
  readonly settings: () => Promise<OwnSettings>;
  readonly request: StateRequest;
  /** All requested types: some keys belong to two types together. */
  readonly wanted: ReadonlySet<string>;
}

/** Returns keys of the response. The number of queries must not depend on the amount of data. */
export type StatePart = (view: StateView) => Promise<Record<string, unknown>> | Record<string, unknown>;
export type StateParts = Readonly<Record<string, StatePart>>;
