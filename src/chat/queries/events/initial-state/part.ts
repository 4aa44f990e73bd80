/** One part of the initial state, and its inputs. */
import type { Storage } from '../../../../kernel/kernel';
import type { RunRead } from '../../../../kernel/mysql/read-packet';
import type { Keyspace } from '../../../../kernel/redis/connections';
import type { QueueFilters } from '../../../model/events/queue';
import type { Realm } from '../../../model/organisation/realm';
import type { Subscription } from '../../../model/streams/subscription';
import type { UserTopic } from '../../../model/streams/topic-policy';
import type { User } from '../../../model/users/user';
import type { StoredSettings } from '../../../model/users/user-settings';
import type { ChatSettings } from '../../../settings';
import type { OwnSettings } from '../../users/settings';
import type { RecentConversation } from '../../../store/reading/received-messages';
import type { StreamList } from '../../../store/streams/streams';

export interface StateRequest {
  readonly filters: QueueFilters;
  /** Null for all types. */
  readonly fetchTypes: readonly string[] | null;
  readonly settings: ChatSettings;
  /** Whether people are named by id in `presences`. */
  readonly hasSlimPresence?: boolean | undefined;
  /** The account that sends the server's own messages. */
  readonly systemBot: User;
  /** The organisation's base URL. */
  readonly publicUrl: string;
}

export interface StateView {
  readonly kernel: Storage & Keyspace;
  /** Reads from the snapshot. All parts run at once: what they request at the same time is one round trip. */
  readonly read: RunRead;
  /** Who registers. What can change since they authenticated is read again, as `self`. */
  readonly by: Pick<User, 'id' | 'realmId'>;
  readonly self: () => Promise<User>;
  readonly stored: () => Promise<StoredSettings>;
  readonly settings: () => Promise<OwnSettings>;
  readonly topics: () => Promise<readonly UserTopic[]>;
  readonly conversations: () => Promise<readonly RecentConversation[]>;
  readonly ownSubscriptions: () => Promise<readonly Subscription[]>;
  /** The organisation's users by id. */
  readonly everybody: () => Promise<readonly User[]>;
  readonly realm: () => Promise<Realm>;
  readonly streams: () => Promise<StreamList>;
  readonly request: StateRequest;
  /** All requested types: some keys belong to two types together. */
  readonly wanted: ReadonlySet<string>;
}

/** Returns keys of the response. The number of round trips must not depend on the amount of data. */
export type StatePart = (view: StateView) => Promise<Record<string, unknown>> | Record<string, unknown>;
export type StateParts = Readonly<Record<string, StatePart>>;
