/**
 * Limits how often a user polls a node. A poll is counted once, whether the fast path or the application answers it.
 */
import type { IncomingMessage } from 'node:http';
import { openLocalRateLimit } from '../../../kernel/http/rate-limit';
import type { RateRule } from '../../../kernel/settings';
import type { User } from '../../model/users/user';

export interface PollLimit {
  /** Counts a poll that was not counted before; throws if the user has none left. */
  count(by: User, request: IncomingMessage): Promise<void>;
  /** Counts a poll at once; false if the user has none left. */
  take(by: User): boolean;
  /** The poll was counted, and will be answered by the application. */
  noteTaken(request: IncomingMessage): void;
}

export function openPollLimit(rule: RateRule | null): PollLimit {
  const limit = openLocalRateLimit(rule);
  const taken = new WeakSet<IncomingMessage>();
  return {
    async count(by, request) {
      if (!taken.has(request)) await limit.count(String(by.id));
    },
    take: (by) => limit.take(String(by.id)),
    noteTaken: (request) => void taken.add(request),
  };
}
