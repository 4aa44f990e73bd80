/** Changes a message's content or topic, and publishes the change to everyone who can see the message. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { previewsOf } from '../../actors/mailboxes';
import { checkMayEdit, editingDisabled, nothingToChange, type Circumstances } from '../../model/messages/edit-policy';
import { checkTopic } from '../../model/messages/draft';
import { eventDelivery } from '../../model/events/event';
import { TRAITS, type Edit, type Message } from '../../model/messages/message';
import {
  checkNewContent,
  updateEvent,
  withEdit,
  withFlags,
  type Change,
  type Wish,
} from '../../model/messages/revision';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import { findLinkedFiles } from '../../queries/uploads/files';
import { accessMessage, invalidMessages } from '../../queries/messages/access-message';
import { renderContent, type RenderedContent } from '../../queries/messages/render-content';
import { wantsPreviews } from '../../queries/messages/find-previews';
import * as audience from '../../store/messages/message-audience';
import * as edits from '../../store/messages/message-edits';
import * as realms from '../../store/organisation/realms';
import { subscribers } from '../../store/streams/subscriptions';
import { replaceLinks } from '../../store/uploads/uploads';
import { flagsOf } from './compose-message';
import { moveTopic, publishToLatecomers } from './move-topic';

/** A checked edit, with everything that can be computed before rows are locked. */
interface Plan extends Pick<Wish, 'mode'> {
  readonly circumstances: Circumstances;
  readonly words:
    | {
        readonly content: string;
        readonly rendered: RenderedContent;
        readonly uploadIds: readonly number[];
        /** Whether linked pages need previews. */
        readonly isPreviewed: boolean;
      }
    | undefined;
  readonly place: { readonly topic: string; readonly topicId: number; readonly links: readonly string[] } | undefined;
}

export async function editMessage(chat: Sending, by: User, id: number, wish: Wish): Promise<void> {
  const { settings } = (await realms.byId(chat.mysql, by.realmId))!;
  ensure(settings.allow_message_editing, editingDisabled());
  const message = await accessMessage(chat.mysql, by, id);
  const circumstances = { by, settings, now: chat.clock.now() };
  checkMayEdit(message, wish.content !== undefined, circumstances);
  // Private messages have no topic to change.
  const topic = message.topicId === null ? undefined : wish.topic;
  ensure(wish.content !== undefined || topic !== undefined, nothingToChange());
  const plan = { circumstances, mode: wish.mode, ...(await prepare(chat, message, { ...wish, topic }, by)) };
  await chat.transaction((tx) => change(tx, chat.clock, id, plan));
}

async function prepare(chat: Sending, message: Message, wish: Wish, by: User): Promise<Pick<Plan, 'words' | 'place'>> {
  const topic = wish.topic === undefined ? undefined : checkTopic(wish.topic, chat.tooLong);
  const content = wish.content === undefined ? undefined : checkNewContent(wish.content, chat.tooLong);
  return {
    words: content === undefined ? undefined : await prepareWords(chat, by, content),
    place:
      topic === undefined
        ? undefined
        : {
            topic,
            topicId: await chat.topics.ensure(message.recipientId, topic),
            links: (await chat.vocabularies.topicLinks(by.realmId))(topic),
          },
  };
}

async function prepareWords(chat: Sending, by: User, content: string): Promise<Plan['words']> {
  const rendered = await renderContent(chat, by.realmId, content, by);
  const uploadIds = await findLinkedFiles(chat.mysql, by, content);
  return { content, rendered, uploadIds, isPreviewed: await wantsPreviews(chat, by, rendered.pages) };
}

async function change(tx: Tx, clock: Clock, id: number, plan: Plan): Promise<void> {
  const { by } = plan.circumstances;
  const before = await edits.lock(tx.db, by.realmId, id);
  if (!before) throw invalidMessages();
  // Checked again, now that the row is locked.
  await accessMessage(tx.db, by, id);
  checkMayEdit(before, plan.words !== undefined, plan.circumstances);
  const after = revise(before, plan);
  // Nothing changes, for example because the edit was sent twice.
  if (after.content === before.content && after.topic === before.topic) return;
  const isMoved = after.topic !== before.topic;
  const messageIds = isMoved ? await moveTopic(tx, clock, before, { ...plan.place!, mode: plan.mode }) : [id];
  await edits.update(tx.db, after);
  if (plan.words) await replaceLinks(tx.db, after, plan.words.uploadIds);
  await publishChange(tx, plan, { before, after, messageIds });
  const linked = { realmId: by.realmId, messageId: id };
  if (plan.words?.isPreviewed) previewsOf(linked).send(tx, linked);
}

type Changed = Pick<Change, 'before' | 'after' | 'messageIds'>;

async function publishChange(tx: Tx, plan: Plan, changed: Changed): Promise<void> {
  const { before, after } = changed;
  const { by } = plan.circumstances;
  const stream = before.topicId === null ? null : await audience.holdStream(tx.db, before.recipientId);
  const received = new Set(await edits.receivers(tx.db, before));
  const event = updateEvent({
    by,
    ...changed,
    mode: plan.mode,
    streamName: stream?.name ?? null,
    topicLinks: plan.place?.links ?? [],
    ...(await reflag(tx, before, received, plan)),
  });
  for (const [flags, to] of await receiversByFlags(tx, after, received, stream)) {
    tx.deliver(eventDelivery(by.realmId, to, withFlags(event, flags)));
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
    ...(isMoved ? { prev_subject: before.topic } : {}),
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
  { words }: Plan,
): Promise<{ mentioned: UserId[]; mentionedBefore: UserId[] }> {
  if (!words || words.content === before.content) return { mentioned: [], mentionedBefore: [] };
  const flags = flagsOf(words.rendered, received);
  const mentionedBefore = await audience.replaceFlags(tx.db, before, flags);
  return { mentioned: flags.filter(({ flag }) => flag === 'mentioned').map(({ userId }) => userId), mentionedBefore };
}
