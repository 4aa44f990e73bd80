/** Limits how often a user polls a node. A poll is counted once, whether the fast path or Koa answers it. */
import type { IncomingMessage } from 'node:http';
import { openLocalRateLimit } from '../../../kernel/admission/rate-limit';
import type { RateRule } from '../../../kernel/settings';
import type { User } from '../../model/users/user';

export interface PollLimit {
  /** Counts a poll that is not yet counted; throws if the user is over the limit. */
  count(by: User, request: IncomingMessage): Promise<void>;
  /** Counts a poll synchronously; false if the user is over the limit. */
  take(by: User): boolean;
  /** The poll is counted already, and Koa will answer it. */
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
