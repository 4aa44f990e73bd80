/** The configuration of the texting socket and of presence. */
import type { RateRule } from '../../kernel/settings';

export interface PresenceSettings {
  readonly presenceMs: number;
  readonly presenceGraceMs: number;
}

export interface FeedSettings {
  readonly eventReplayMost: number;
}

export interface SocketEntrySettings extends PresenceSettings, FeedSettings {
  readonly sessionDays: number;
  readonly socketsPerKey: number;
  readonly socketAuthMs: number;
  readonly socketAuthTries: number;
  readonly socketAuthLimit: RateRule | null;
  readonly socketEventLimit: RateRule | null;
}
