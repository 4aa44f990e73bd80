/** Does after a mark's answer what the answer did not wait for: names the messages in events, and folds exceptions. */
import type { Kernel } from '../../kernel/kernel';
import type { Carrier } from '../../kernel/mysql/outbox';
import type { Tx } from '../../kernel/mysql/transaction';
import type { Seek } from '../model/narrow-drivers';
import {
  flagsChanged,
  MOST_IDS_TOLD,
  READ_MARKS_CARRIER,
  type MarkedStretch,
  type ReadMark,
} from '../model/read-marks';
import { cursorIn, ENDLESS, isRead, type Glance, type Marks, type ReadState } from '../model/read-state';
import { glances as glancesOf, walk } from '../store/narrowed-messages';
import * as folding from '../store/read-state-folding';
import { lock } from '../store/read-marks';
import * as readState from '../store/read-state';

/** Given a mark twice, it tells twice that the same messages are read, which they are. */
export const readMarksCarrier = (kernel: Kernel): Carrier => ({
  name: READ_MARKS_CARRIER,
  numbered: false,
  async carry(rows) {
    for (const { body } of rows) await settleReads(kernel, JSON.parse(body) as ReadMark);
  },
});

export async function settleReads(kernel: Kernel, mark: ReadMark): Promise<void> {
  if (mark.stretch) await tellStretch(kernel, mark, mark.stretch);
  if (!mark.touched) await forgetAll(kernel, mark);
  for (const place of mark.touched ?? []) {
    while (await kernel.transaction((tx) => foldPlace(tx, mark, place.recipientId)));
    if (place.topicId !== null) {
      const topic = { recipientId: place.recipientId, topicId: place.topicId };
      while (await kernel.transaction((tx) => foldTopic(tx, mark, topic)));
    }
  }
}

async function forgetAll(kernel: Kernel, { userId }: ReadMark): Promise<void> {
  while ((await kernel.transaction((tx) => folding.forgetCovered(tx.db, userId))) > 0);
}

const teller = ({ realmId, userId }: ReadMark) => ({ realmId, id: userId });

async function tellStretch(kernel: Kernel, mark: ReadMark, stretch: MarkedStretch): Promise<void> {
  const known = await glancesOf(kernel.mysql, mark.realmId, stretch.ids);
  for (let start = 0; start < known.length; start += MOST_IDS_TOLD) {
    await tellRead(kernel, mark, known.slice(start, start + MOST_IDS_TOLD));
  }
  const state = await readState.load(kernel.mysql, mark.userId, [stretch.recipientId]);
  for (let { from } = stretch; ;) {
    const seeks = seeksOf(state, stretch, { from: from + 1, to: stretch.to });
    const { glances, last, isEnd } = await walk(kernel.mysql, seeks, upward(mark, from + 1));
    await tellRead(kernel, mark, glances);
    if (isEnd || last === undefined) return;
    from = last;
  }
}

const upward = ({ realmId, userId }: ReadMark, start: number) => ({
  realmId,
  userId,
  direction: 'up' as const,
  start,
  limit: MOST_IDS_TOLD,
});

type Where = Pick<MarkedStretch, 'recipientId' | 'topicId'>;

/** What was received there between two ids. */
function seeksOf(state: ReadState, { recipientId, topicId }: Where, within: { from: number; to: number }): Seek[] {
  return (state.places.get(recipientId)?.received ?? []).flatMap(({ from, to }): Seek[] => {
    const range = { from: Math.max(from, within.from), to: Math.min(to, within.to) };
    if (range.from > range.to) return [];
    return [
      topicId === null ? { by: 'recipient', key: recipientId, ...range } : { by: 'topic', key: topicId, ...range },
    ];
  });
}

/** Only what is read now as well: it may have been taken back meanwhile. */
async function tellRead(kernel: Kernel, mark: ReadMark, glances: readonly Glance[]): Promise<void> {
  await kernel.transaction(async (tx) => {
    await lock(tx.db, mark.userId);
    const state = await readState.load(
      tx.db,
      mark.userId,
      glances.map(({ recipientId }) => recipientId),
    );
    const marks = await readState.marksOf(tx.db, mark.userId, glances);
    const ids = glances.filter((glance) => isRead(state, glance, marks)).map(({ id }) => id);
    for (const event of flagsChanged(teller(mark), 'add', 'read', ids)) tx.deliver(event);
  });
}

interface Prefix {
  readonly read: readonly Glance[];
  readonly marks: Marks;
  /** Whether there may be more of it. */
  readonly goesOn: boolean;
}

/** What lies directly above a cursor and is read. */
async function readPrefix(tx: Tx, mark: ReadMark, state: ReadState, where: Where & { above: number }): Promise<Prefix> {
  const from = where.above + 1;
  const { glances, isEnd } = await walk(tx.db, seeksOf(state, where, { from, to: ENDLESS }), upward(mark, from));
  const marks = await readState.marksOf(tx.db, mark.userId, glances);
  const end = glances.findIndex((glance) => !isRead(state, glance, marks));
  return { read: end < 0 ? glances : glances.slice(0, end), marks, goesOn: end < 0 && !isEnd };
}

/** Says whether to go on. */
async function foldPlace(tx: Tx, mark: ReadMark, recipientId: number): Promise<boolean> {
  await lock(tx.db, mark.userId);
  const state = await readState.load(tx.db, mark.userId, [recipientId]);
  const above = cursorIn(state, recipientId);
  const { read, goesOn } = await readPrefix(tx, mark, state, { recipientId, topicId: null, above });
  await folding.advancePlace(tx.db, mark.userId, recipientId, read.at(-1)?.id ?? above);
  return goesOn;
}

async function foldTopic(tx: Tx, mark: ReadMark, topic: { recipientId: number; topicId: number }): Promise<boolean> {
  await lock(tx.db, mark.userId);
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
