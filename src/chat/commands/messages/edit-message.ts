/** Changes a message's content or topic, and publishes the change to everyone who can see the message. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { previewsOf } from '../../actors/mailboxes';
import { checkMayEdit, editingDisabled, nothingToChange } from '../../model/messages/edit-policy';
import { eventDelivery } from '../../model/events/event';
import { contentStays } from '../../model/messages/move-policy';
import { TRAITS, type Edit, type Message } from '../../model/messages/message';
import {
  renamedTopic,
  topicPartOf,
  updateEvent,
  withEdit,
  withFlags,
  type Change,
  type Notices,
  type Wish,
} from '../../model/messages/revision';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { accessForChange, invalidMessages } from '../../queries/messages/access-message';
import { findFlagged } from '../../queries/messages/find-flagged';
import * as audience from '../../store/messages/message-audience';
import * as edits from '../../store/messages/message-edits';
import * as messages from '../../store/messages/messages';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';
import { subscribers } from '../../store/streams/subscriptions';
import { replaceLinks } from '../../store/uploads/uploads';
import { movePolicies } from './move-policies';
import { hasMessages, moveToStream } from './move-to-stream';
import { inParts, moveTopic, publishToLatecomers } from './move-topic';
import { notifyOfMove } from './notify-of-move';
import { prepare, type Plan } from './plan-edit';

export async function editMessage(chat: Sending, by: User, id: number, wish: Wish): Promise<void> {
  const { settings } = (await realms.byId(chat.mysql, by.realmId))!;
  ensure(settings.allow_message_editing, editingDisabled());
  const message = await accessForChange(chat.mysql, by, id);
  if (wish.streamId !== undefined && (message.topicId === null || wish.streamId !== message.recipientId)) {
    ensure(wish.content === undefined, contentStays());
    const moved = await moveToStream(chat, by, id, { ...wish, streamId: wish.streamId });
    await notifyOfMove(chat, by, moved, wish.notices);
    return;
  }
  const circumstances = { by, settings, now: chat.clock.now() };
  checkMayEdit(message, wish.content !== undefined, circumstances);
  // Private messages have no topic to change.
  const topic = message.topicId === null ? undefined : wish.topic;
  ensure(wish.content !== undefined || topic !== undefined, nothingToChange());
  const isWhole = wish.notices.old !== undefined || wish.notices.new !== undefined;
  const plan = { circumstances, isWhole, mode: wish.mode, ...(await prepare(chat, message, { ...wish, topic }, by)) };
  const isMerge = plan.place !== undefined && (await hasMessages(chat, by, plan.place.topicId));
  const changed = await chat.transaction((tx) => change(tx, chat.clock, id, plan));
  if (changed && plan.place) await afterMove(chat, by, { ...changed, isMerge, notices: wish.notices });
}

/** What follows a topic that got another name. */
async function afterMove(
  chat: Sending,
  by: User,
  { before, after, messageIds, isMerge, notices }: Changed & { readonly isMerge: boolean; readonly notices: Notices },
): Promise<void> {
  if (before.topic === after.topic) return;
  const [stream] = await streams.byIds(chat.mysql, by.realmId, [after.recipientId]);
  if (!stream) return;
  const isWhole = before.topicId === after.topicId || !(await hasMessages(chat, by, before.topicId!));
  const places = { from: { stream, topic: before.topic }, to: { stream, topic: after.topic } };
  if (isWhole) await movePolicies(chat, by.realmId, { ...places, isMerge });
  await notifyOfMove(chat, by, { ...places, count: messageIds.length, isWhole }, notices);
}

async function change(tx: Tx, clock: Clock, id: number, plan: Plan): Promise<Changed | undefined> {
  const { by } = plan.circumstances;
  const before = await edits.lock(tx.db, by.realmId, id);
  if (!before) throw invalidMessages();
  // Checked again, now that the row is locked.
  await accessForChange(tx.db, by, id);
  checkMayEdit(before, plan.words !== undefined, plan.circumstances);
  // The message has gone to another stream meanwhile, which has other topics.
  ensure(plan.place === undefined || plan.place.streamId === before.recipientId, invalidMessages());
  const after = revise(before, plan);
  // Nothing changes, for example because the edit was sent twice.
  if (after.content === before.content && after.topic === before.topic) return undefined;
  const isMoved = after.topic !== before.topic;
  const messageIds = isMoved
    ? await moveTopic(tx, clock, before, { ...plan.place!, mode: plan.mode, isWhole: plan.isWhole })
    : [id];
  await edits.update(tx.db, after);
  if (plan.words) await replaceLinks(tx.db, after, plan.words.uploadIds);
  await publishChange(tx, plan, { before, after, messageIds });
  const linked = { realmId: by.realmId, messageId: id };
  if (plan.words?.isPreviewed) previewsOf(linked).send(tx, linked);
  return { before, after, messageIds };
}

type Changed = Pick<Change, 'before' | 'after' | 'messageIds'>;

async function publishChange(tx: Tx, plan: Plan, changed: Changed): Promise<void> {
  const { before, after } = changed;
  const { by } = plan.circumstances;
  const [messageIds, ...rest] = inParts(changed.messageIds);
  const stream = before.topicId === null ? null : await audience.holdStream(tx.db, before.recipientId);
  const received = new Set(await edits.receivers(tx.db, before));
  const event = updateEvent({
    by,
    ...changed,
    messageIds: messageIds!,
    mode: plan.mode,
    streamName: stream?.name ?? null,
    topicLinks: plan.place?.links ?? [],
    ...(await reflag(tx, before, received, plan)),
  });
  for (const [flags, to] of await receiversByFlags(tx, after, received, stream)) {
    tx.deliver(eventDelivery(by.realmId, to, withFlags(event, flags)));
  }
  for (const ids of rest) {
    const [first] = await messages.byIds(tx.db, by.realmId, ids.slice(0, 1));
    const receivers = new Set(await edits.receivers(tx.db, first!));
    for (const [flags, to] of await receiversByFlags(tx, first!, receivers, stream)) {
      tx.deliver(eventDelivery(by.realmId, to, topicPartOf(event, ids, flags)));
    }
  }
  if (stream && !stream.isHistoryPublic) await publishToLatecomers(tx, by, event, changed);
}

/** The users who get the event of a change, grouped by their flags. */
export async function receiversByFlags(
  tx: Tx,
  message: Message,
  received: ReadonlySet<UserId>,
  stream: audience.HeldStream | null,
): Promise<Map<string, UserId[]>> {
  const groups = await audience.byFlags(tx.db, message, received);
  if (stream?.isHistoryPublic !== true) return groups;
  // With public history, users who subscribed later can see the message too.
  const later = (await subscribers(tx.db, message.recipientId)).filter((userId) => !received.has(userId));
  return later.length === 0 ? groups : groups.set('read', [...(groups.get('read') ?? []), ...later]);
}

function revise(before: Message, { words, place, circumstances }: Plan): Message {
  const { by, now } = circumstances;
  const editedAt = Math.floor(now.getTime() / 1000);
  const isReworded = words !== undefined && words.content !== before.content;
  const isMoved = place !== undefined && place.topic !== before.topic;
  const edit: Edit = {
    user_id: by.id,
    timestamp: editedAt,
    ...(isReworded ? { prev_content: before.content, prev_rendered_content: before.rendered } : {}),
    ...(isMoved ? renamedTopic(before.topic, place.topic) : {}),
  };
  return {
    ...before,
    ...(isReworded
      ? {
          content: words.content,
          rendered: words.rendered.html,
          traits: (before.traits & TRAITS.senderRead) | words.rendered.traits,
        }
      : {}),
    ...(isMoved ? { topic: place.topic, topicId: place.topicId } : {}),
    editedAt,
    edits: isReworded || isMoved ? withEdit(before.edits, edit) : before.edits,
  };
}

/** Replaces the flags after a change of content. Returns who is mentioned now, and who was before. */
async function reflag(
  tx: Tx,
  before: Message,
  received: ReadonlySet<UserId>,
  { words, place }: Plan,
): Promise<{ mentioned: UserId[]; mentionedBefore: UserId[] }> {
  if (!words || words.content === before.content) return { mentioned: [], mentionedBefore: [] };
  const flags = await findFlagged(
    tx.db,
    { ...before, topicId: place?.topicId ?? before.topicId },
    words.rendered,
    received,
  );
  const mentionedBefore = await audience.replaceFlags(tx.db, before, flags);
  return { mentioned: flags.filter(({ flag }) => flag === 'mentioned').map(({ userId }) => userId), mentionedBefore };
}
