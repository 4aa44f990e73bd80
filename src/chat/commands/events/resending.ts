/** Limits resends of events that a client received but does not acknowledge. Events lost in transit are free. */
import type { AnswerPath } from '../../../kernel/answer-path';
import { sleep } from '../../../kernel/deadline';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import { redeliveredTooOften } from '../../model/faults';

/** Answers up to this size may be resent at any time. Larger ones are limited to this much per second. */
const FREE_CHARACTERS = 64 * 1024;
/** Eight of the largest answers: a reconnecting client may have lost them, and a proxy does not reveal that. */
const RECONNECT_CHARACTERS = 8_000_000;

const msFor = (characters: number): number => (characters / FREE_CHARACTERS) * 1000;
const RECONNECT_MS = msFor(RECONNECT_CHARACTERS);

/** Whether the answer is a resend that must be counted. */
export const isLargeRepeat = (queue: CachedQueue, cursor: number, size: number): boolean =>
  cursor < queue.sent && size > FREE_CHARACTERS;

/** Whether so much was resent lately that another resend depends on the state of its connection. */
export const isOwingTime = (queue: CachedQueue, cursor: number): boolean =>
  cursor < queue.sent && Date.now() < queue.resendAt;

/** A connection reset may be noticed after the same client's next poll has arrived. */
const NOTICE_MS = 200;

/** Gives the node time to notice that the connection of the last resend has ended. */
export async function noticeEnds({ repeat }: CachedQueue): Promise<void> {
  if (repeat?.isConnected) await sleep(NOTICE_MS);
}

/** While the connection of the last resend is open, the client received it. Otherwise it may have been lost. */
export function checkRepeat(queue: CachedQueue, cursor: number): void {
  if (!isOwingTime(queue, cursor)) return;
  const waitMs = queue.resendAt - Date.now() - (queue.repeat?.isConnected ? 0 : RECONNECT_MS);
  if (waitMs > 0) throw redeliveredTooOften(waitMs / 1000);
}

/** Counts a large resend, unless its connection turns out to have lost it. */
export function countRepeat(queue: CachedQueue, size: number, path: AnswerPath | undefined): void {
  const now = Date.now();
  const costMs = msFor(size);
  // The earlier cost is already paid off, so it need not be refunded.
  if (queue.resendAt <= now) queue.repeat?.stopFollowing();
  queue.resendAt = Math.max(queue.resendAt, now) + costMs;
  const repeat = { isConnected: path?.isDirect ?? false, stopFollowing: () => {} };
  queue.repeat = repeat;
  repeat.stopFollowing =
    path?.follow((isLost) => {
      repeat.isConnected = false;
      if (isLost) queue.resendAt -= costMs;
    }) ?? repeat.stopFollowing;
}

/** A client that acknowledges everything it was sent starts from zero. */
export function forgiveRepeats(queue: CachedQueue): void {
  if (queue.resendAt === 0 || queue.acked < queue.sent) return;
  queue.repeat?.stopFollowing();
  queue.repeat = undefined;
  queue.resendAt = 0;
}
