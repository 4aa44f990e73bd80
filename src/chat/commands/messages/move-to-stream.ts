/** Moves messages to another stream, and publishes the move: as a deletion to those who can no longer read them. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { TopicLink } from '../../model/markdown/context';
import { editingDisabled } from '../../model/messages/edit-policy';
import { checkTopic } from '../../model/messages/draft';
import { eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import { checkMayMove, MAX_MOVED, privateStaysPrivate, tooManyToMove } from '../../model/messages/move-policy';
import {
  editedTooOften,
  historyBytesBefore,
  moveEvent,
  moveEdit,
  withFlags,
  type PropagateMode,
} from '../../model/messages/revision';
import type { Interval } from '../../model/reading/read-state';
import type { Stream } from '../../model/streams/stream';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { accessForChange, invalidMessages } from '../../queries/messages/access-message';
import { accessStream } from '../../queries/streams/access-stream';
import { readableRanges } from '../../queries/streams/list-streams';
import * as audience from '../../store/messages/message-audience';
import * as messages from '../../store/messages/messages';
import { keepFormerOut, viewersOf, type Viewers } from '../../store/messages/move-viewers';
import * as moves from '../../store/messages/stream-moves';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import { findWritable } from './address-message';
import { deletion } from './delete-messages';
import { movePolicies } from './move-policies';

export interface StreamWish {
  readonly streamId: number;
  /** The topic stays as it is if there is none. */
  readonly topic?: string | undefined;
  readonly mode: PropagateMode;
}

interface Place {
  readonly stream: Pick<Stream, 'id' | 'isPrivate' | 'name'>;
  readonly topic: string;
}

/** What has moved, for the notices about it. */
export interface Moved {
  readonly from: Place;
  readonly to: Place;
  readonly count: number;
  /** Whether nothing is left in the old topic. */
  readonly isWhole: boolean;
}

interface Plan extends moves.StreamMove {
  readonly by: User;
  readonly mode: PropagateMode;
  readonly links: readonly TopicLink[];
  readonly old: { readonly stream: Stream; readonly topic: string };
  readonly stream: Stream;
  readonly now: number;
}

/** Each message may cause an event, which limits how many fit in a transaction. */
const MAX_AT_ONCE = 500;

export async function moveToStream(chat: Sending, by: User, id: number, wish: StreamWish): Promise<Moved> {
  const { settings } = (await realms.byId(chat.mysql, by.realmId))!;
  ensure(settings.allow_message_editing, editingDisabled());
  const message = await accessForChange(chat.mysql, by, id);
  ensure(message.topicId !== null, privateStaysPrivate());
  const circumstances = { by, settings, now: chat.clock.now() };
  checkMayMove(message, circumstances);
  const { stream } = await accessStream(chat.mysql, by, wish.streamId);
  await findWritable(chat, by, stream.id);
  const topic = wish.topic === undefined ? message.topic : checkTopic(wish.topic, chat.tooLong);
  const old = await accessStream(chat.mysql, by, message.recipientId);
  const ids = await idsToMove(chat, by, message, wish.mode);
  // The oldest of them, and one of somebody else, stand for all.
  const others = await moves.firstOfOthers(chat.mysql, by, ids);
  for (const each of await messages.byIds(chat.mysql, by.realmId, [ids[0]!, ...others])) {
    checkMayMove(each, circumstances);
  }
  const plan: Plan = {
    by,
    realmId: by.realmId,
    mode: wish.mode,
    old: { stream: old.stream, topic: message.topic },
    stream,
    from: { streamId: old.stream.id, topicId: message.topicId! },
    to: { streamId: stream.id, topicId: await chat.topics.ensure(stream.id, topic), topic },
    lastId: Math.max(...ids),
    links: (await chat.vocabularies.topicLinks(by.realmId))(topic),
    now: Math.floor(chat.clock.now().getTime() / 1000),
  };
  const isMerge = await hasMessages(chat, by, plan.to.topicId);
  let count = 0;
  for (let start = 0; start < ids.length; start += MAX_AT_ONCE) {
    count += await chat.transaction((tx) => moveSome(tx, plan, ids.slice(start, start + MAX_AT_ONCE)));
  }
  if (count === 0) throw invalidMessages();
  const isWhole = !(await hasMessages(chat, by, plan.from.topicId));
  const places = { from: plan.old, to: { stream, topic } };
  if (isWhole) await movePolicies(chat, by.realmId, { ...places, isMerge });
  return { ...places, count, isWhole };
}

export const hasMessages = async (chat: Sending, { realmId }: User, topicId: number): Promise<boolean> =>
  (await moves.topicIds(chat.mysql, { realmId, topicId }, 0, 0)).length > 0;

/** The message itself, and with it later or all messages of its topic that the user can read. Ascending. */
async function idsToMove(chat: Sending, by: User, message: Message, mode: PropagateMode): Promise<number[]> {
  if (mode === 'change_one') return [message.id];
  const topic = { realmId: by.realmId, topicId: message.topicId! };
  const ids = await moves.topicIds(chat.mysql, topic, mode === 'change_later' ? message.id : 0, MAX_MOVED);
  if (ids.length > MAX_MOVED) throw tooManyToMove();
  const access = await accessStream(chat.mysql, by, message.recipientId);
  const ranges = await readableRanges(chat.mysql, by, access);
  return ids.filter((id) => ranges.some(([from, to]) => from <= id && id <= to));
}

/** Returns how many messages were moved. */
async function moveSome(tx: Tx, plan: Plan, wanted: readonly number[]): Promise<number> {
  const { by, stream, old } = plan;
  // In the order of their ids, so that two moves do not wait for each other.
  for (const { id } of [old.stream, stream].toSorted((a, b) => a.id - b.id)) await audience.holdStream(tx.db, id);
  await moves.lockSpots(tx.db, plan);
  const ids = await moves.lockMessages(tx.db, plan, wanted);
  if (ids.length === 0) return 0;
  const edit = moveEdit(plan);
  ensure(!(await moves.hasLongHistory(tx.db, plan, ids, historyBytesBefore(edit))), editedTooOften());
  // Checked again, now that nobody can join or leave.
  await accessForChange(tx.db, by, ids[0]!);
  await accessStream(tx.db, by, stream.id);
  const within: Interval = { from: ids[0]!, to: ids.at(-1)! };
  await keepFormerOut(tx.db, stream, ids);
  const viewers = await viewersOf(tx.db, old.stream, stream, within);
  const before = await messages.byIds(tx.db, by.realmId, ids);
  await moves.takeCursorsAlong(tx.db, plan);
  await moves.move(tx.db, plan, ids, edit);
  for (const group of viewers) await publishTo(tx, plan, group, before);
  return ids.length;
}

const isIn = (ranges: readonly Interval[], id: number): boolean =>
  ranges.some(({ from, to }) => from <= id && id <= to);

async function publishTo(
  tx: Tx,
  plan: Plan,
  { userIds, before, after }: Viewers,
  found: readonly Message[],
): Promise<void> {
  const lost = found.filter(({ id }) => isIn(before, id) && !isIn(after, id));
  const kept = found.filter(({ id }) => isIn(after, id)).map(({ id }) => id);
  const { realmId } = plan;
  if (lost.length > 0) {
    await moves.dropFlags(
      tx.db,
      userIds,
      lost.map(({ id }) => id),
    );
    const senders = await people.byIds(tx.db, realmId, [...new Set(lost.map(({ senderId }) => senderId))]);
    for (const message of lost) {
      const sender = senders.find(({ id }) => id === message.senderId)!;
      tx.deliver(eventDelivery(realmId, userIds, deletion(message, sender)));
    }
  }
  if (kept.length === 0) return;
  const event = { ...moveEvent(plan), message_id: kept[0], message_ids: kept };
  const [first] = await messages.byIds(tx.db, realmId, kept.slice(0, 1));
  const flagged = await audience.byFlags(tx.db, first!, new Set(userIds));
  const others = new Set(userIds);
  for (const [flags, to] of flagged) {
    for (const userId of to) others.delete(userId);
    tx.deliver(eventDelivery(realmId, to, withFlags(event, flags)));
  }
  // They can read the new stream without being subscribed.
  if (others.size > 0) tx.deliver(eventDelivery(realmId, [...others], withFlags(event, 'read')));
}
