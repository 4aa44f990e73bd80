/** Completes a read mark after its response: publishes the messages in events, and folds exceptions into cursors. */
import { done, type Ending } from '../../../kernel/mailbox/ending';
import type { Tx } from '../../../kernel/mysql/transaction';
import { readMarksOf } from '../../actors/mailboxes';
import type { Seek } from '../../model/reading/narrow-drivers';
import { flagsChanged, MAX_IDS_AT_ONCE, type MarkedRange, type ReadMark } from '../../model/reading/read-marks';
import { cursorIn, ENDLESS, isRead, type MessageRef, type Marks, type ReadState } from '../../model/reading/read-state';
import { refs as refsOf } from '../../store/reading/message-refs';
import { walk } from '../../store/reading/narrowed-messages';
import * as folding from '../../store/reading/read-state-folding';
import { lock } from '../../store/reading/read-marks';
import * as readState from '../../store/reading/read-state';
import { withdrawRead } from '../push/withdraw-pushes';

type Where = Pick<MarkedRange, 'recipientId' | 'topicId'>;

/** Bounds how long a transaction locks a reader. The rest of the mark goes into another mail. */
const MAX_PLACES = 10;

export const settleReads = (mark: ReadMark): Ending =>
  done({
    async write(tx) {
      await lock(tx.db, mark.userId);
      const rest = await settleSome(tx, mark);
      if (rest) readMarksOf(mark.realmId, mark.userId).send(tx, rest);
      await withdrawRead(tx, mark);
    },
  });

/** Returns the part of the mark that is left to do. */
async function settleSome(tx: Tx, { range, ...mark }: ReadMark): Promise<ReadMark | undefined> {
  const rest = range && (await publishRange(tx, mark, range));
  if (rest) return { ...mark, range: rest };
  if (!mark.touched) return (await folding.forgetCovered(tx.db, mark.userId)) > 0 ? mark : undefined;
  const unfolded = mark.touched.slice(MAX_PLACES);
  for (const place of mark.touched.slice(0, MAX_PLACES)) if (await fold(tx, mark, place)) unfolded.push(place);
  return unfolded.length > 0 ? { ...mark, touched: unfolded } : undefined;
}

/** Publishes part of the range, and returns the rest. */
async function publishRange(tx: Tx, mark: ReadMark, range: MarkedRange): Promise<MarkedRange | undefined> {
  const { recipientId, ids, from, to } = range;
  if (ids.length > 0) {
    await publishRead(tx, mark, await refsOf(tx.db, mark.realmId, ids.slice(0, MAX_IDS_AT_ONCE)));
    if (ids.length > MAX_IDS_AT_ONCE) return { ...range, ids: ids.slice(MAX_IDS_AT_ONCE) };
  }
  const state = await readState.load(tx.db, mark.userId, [recipientId]);
  const seeks = seeksOf(state, range, { from: from + 1, to });
  const { refs, last, isEnd } = await walk(tx.db, seeks, upward(mark, from + 1));
  await publishRead(tx, mark, refs);
  return isEnd || last === undefined ? undefined : { ...range, ids: [], from: last };
}

const upward = ({ realmId, userId }: ReadMark, start: number) => ({
  realmId,
  userId,
  direction: 'up' as const,
  start,
  limit: MAX_IDS_AT_ONCE,
});

/** The received ranges of the conversation within the given ids. */
function seeksOf(state: ReadState, { recipientId, topicId }: Where, within: { from: number; to: number }): Seek[] {
  return (state.places.get(recipientId)?.received ?? []).flatMap(({ from, to }): Seek[] => {
    const range = { from: Math.max(from, within.from), to: Math.min(to, within.to) };
    if (range.from > range.to) return [];
    return [
      topicId === null ? { by: 'recipient', key: recipientId, ...range } : { by: 'topic', key: topicId, ...range },
    ];
  });
}

/** Publishes only messages that are still read: the mark may have been undone meanwhile. */
async function publishRead(tx: Tx, mark: ReadMark, refs: readonly MessageRef[]): Promise<void> {
  const places = refs.map(({ recipientId }) => recipientId);
  const state = await readState.load(tx.db, mark.userId, places);
  const marks = await readState.marksOf(tx.db, mark.userId, refs);
  const ids = refs.filter((ref) => isRead(state, ref, marks)).map(({ id }) => id);
  const reader = { realmId: mark.realmId, id: mark.userId };
  for (const event of flagsChanged(reader, 'add', 'read', { ids })) tx.deliver(event);
}

interface Prefix {
  readonly read: readonly MessageRef[];
  readonly marks: Marks;
  /** Whether more read messages may follow. */
  readonly goesOn: boolean;
}

/** The unbroken run of read messages directly above a cursor. */
async function readPrefix(tx: Tx, mark: ReadMark, state: ReadState, where: Where & { above: number }): Promise<Prefix> {
  const from = where.above + 1;
  const { refs, isEnd } = await walk(tx.db, seeksOf(state, where, { from, to: ENDLESS }), upward(mark, from));
  const marks = await readState.marksOf(tx.db, mark.userId, refs);
  const end = refs.findIndex((ref) => !isRead(state, ref, marks));
  return { read: end < 0 ? refs : refs.slice(0, end), marks, goesOn: end < 0 && !isEnd };
}

/** Returns whether there is more to fold. */
async function fold(tx: Tx, mark: ReadMark, { recipientId, topicId }: Where): Promise<boolean> {
  const goesOn = await foldPlace(tx, mark, recipientId);
  return goesOn || (topicId !== null && foldTopic(tx, mark, { recipientId, topicId }));
}

async function foldPlace(tx: Tx, mark: ReadMark, recipientId: number): Promise<boolean> {
  await folding.holdPlace(tx.db, recipientId);
  const state = await readState.load(tx.db, mark.userId, [recipientId]);
  const above = cursorIn(state, recipientId);
  const { read, goesOn } = await readPrefix(tx, mark, state, { recipientId, topicId: null, above });
  await folding.advancePlace(tx.db, mark.userId, recipientId, read.at(-1)?.id ?? above);
  return goesOn;
}

async function foldTopic(tx: Tx, mark: ReadMark, topic: { recipientId: number; topicId: number }): Promise<boolean> {
  await folding.holdTopic(tx.db, topic.topicId);
  const state = await readState.load(tx.db, mark.userId, [topic.recipientId]);
  const probe = { ...topic, id: 0, senderId: 0, traits: 0 };
  const { topicReadIds } = await readState.marksOf(tx.db, mark.userId, [probe]);
  const above = Math.max(cursorIn(state, topic.recipientId), topicReadIds.get(topic.topicId) ?? 0);
  const { read, marks, goesOn } = await readPrefix(tx, mark, state, { ...topic, above });
  const covered = read.map(({ id }) => id).filter((id) => marks.isRead.has(id));
  // A cursor for a single exception would save nothing.
  if (covered.length < 2) return false;
  const readId = read.at(-1)!.id;
  await folding.advanceTopic(tx.db, { userId: mark.userId, ...topic, readId }, covered);
  return goesOn;
}
