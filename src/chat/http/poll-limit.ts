/** Limits how often a user polls a node. A poll is counted once, whether the fast path or the application answers it. */
import type { IncomingMessage } from 'node:http';
import { openLocalRateLimit } from '../../kernel/http/rate-limit';
import type { RateRule } from '../../kernel/settings';
import type { User } from '../model/user';

export interface PollLimit {
  /** Counts a poll that was not counted before; throws if the user has none left. */
  count(by: User, request: IncomingMessage): Promise<void>;
}

export function openPollLimit(rule: RateRule | null): PollLimit {
  const limit = openLocalRateLimit(rule);
  // The fast path hands a poll to the application if memory turns out not to be enough.
  const counted = new WeakSet<IncomingMessage>();
  return {
    async count(by, request) {
      if (counted.has(request)) return;
      await limit.count(String(by.id));
      counted.add(request);
    },
  };
}
