/** Limits how much of a queue is sent again: what a client received but does not acknowledge, not what was lost. */
import type { AnswerPath } from '../../../kernel/answer-path';
import { sleep } from '../../../kernel/deadline';
import type { CachedQueue } from '../../actors/event-queue/queue-cache';
import { redeliveredTooOften } from '../../model/faults';

/** An answer up to this size may be repeated at any time; of larger ones this much a second. */
const FREE_CHARACTERS = 64 * 1024;
/** Eight of the largest answers: a client that reconnects may have lost them, and a proxy does not tell. */
const RECONNECT_CHARACTERS = 8_000_000;

const msFor = (characters: number): number => (characters / FREE_CHARACTERS) * 1000;
const RECONNECT_MS = msFor(RECONNECT_CHARACTERS);

/** Whether this is a repetition that has to be counted. */
export const isLargeRepeat = (queue: CachedQueue, cursor: number, size: number): boolean =>
  cursor < queue.sent && size > FREE_CHARACTERS;

/** Whether enough was repeated lately that a further repetition has to be judged by its connection. */
export const isOwingTime = (queue: CachedQueue, cursor: number): boolean =>
  cursor < queue.sent && Date.now() < queue.resendAt;

/** A reset may be noticed after the poll that the same client has sent on its next connection. */
const NOTICE_MS = 200;

/** Lets the node notice that the connection of the last repetition has ended. */
export async function noticeEnds({ repeat }: CachedQueue): Promise<void> {
  if (repeat?.isConnected) await sleep(NOTICE_MS);
}

/**
 * While the connection of the last repetition stands, the client received it. Otherwise the client may have lost it.
 */
export function checkRepeat(queue: CachedQueue, cursor: number): void {
  if (!isOwingTime(queue, cursor)) return;
  const waitMs = queue.resendAt - Date.now() - (queue.repeat?.isConnected ? 0 : RECONNECT_MS);
  if (waitMs > 0) throw redeliveredTooOften(waitMs / 1000);
}

/** Counts a large answer that repeats events, unless its connection turns out to have lost it. */
export function countRepeat(queue: CachedQueue, size: number, path: AnswerPath | undefined): void {
  const now = Date.now();
  const costMs = msFor(size);
  // What is paid for need not be given back.
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

/** A client that acknowledges everything it was sent starts anew. */
export function forgiveRepeats(queue: CachedQueue): void {
  if (queue.resendAt === 0 || queue.acked < queue.sent) return;
  queue.repeat?.stopFollowing();
  queue.repeat = undefined;
  queue.resendAt = 0;
}
