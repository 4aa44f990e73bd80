/** One part of the initial state, and what it is made from. */
import type { Kernel } from '../../../../kernel/kernel';
import type { Database } from '../../../../kernel/mysql/pool';
import type { QueueFilters } from '../../../model/events/queue';
import type { Realm } from '../../../model/organisation/realm';
import type { User } from '../../../model/users/user';
import type { ChatSettings } from '../../../settings';
import type { OwnSettings } from '../../users/get-settings';

export interface StateAsk {
  readonly filters: QueueFilters;
  /** Null for everything. */
  readonly fetchTypes: readonly string[] | null;
  readonly settings: ChatSettings;
  /** The account in whose name the server speaks. */
  readonly systemBot: User;
  /** Where the organisation is reached. */
  readonly publicUrl: string;
}

export interface StateView {
  readonly kernel: Kernel;
  /** The snapshot that every part is read from. */
  readonly db: Database;
  readonly by: User;
  /** Of the organisation, by id: most parts tell of people. */
  readonly everybody: () => Promise<readonly User[]>;
  readonly realm: () => Promise<Realm>;
  readonly settings: () => Promise<OwnSettings>;
  readonly ask: StateAsk;
  /** All that is asked for: some keys belong to two types together. */
  readonly wanted: ReadonlySet<string>;
}

/** Answers keys of the response. Reads a number of times that does not depend on how much there is to tell. */
export type StatePart = (view: StateView) => Promise<Record<string, unknown>> | Record<string, unknown>;
export type StateParts = Readonly<Record<string, StatePart>>;
