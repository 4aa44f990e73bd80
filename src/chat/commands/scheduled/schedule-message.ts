/** Schedules a message, changes and cancels it, and tells the author's other clients. */
import { ensure } from '../../../kernel/fault';
import type { Draft } from '../../model/messages/draft';
import { checkTopic } from '../../model/messages/draft';
import { isHumanClient } from '../../model/messages/message';
import {
  badRecipients,
  badStreamId,
  checkDue,
  needsRecipient,
  needsTopic,
  noSuchScheduled,
  nothingScheduled,
  notInFuture,
  type ScheduledFields,
  type ScheduledMessage,
  wireScheduled,
} from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as scheduled from '../../store/scheduled/scheduled-messages';
import * as users from '../../store/users/users';
import { prepareMessage } from '../messages/send-message';
import { checkSize, forgetMail, publish, scheduleOnce, sendAtItsTime } from './scheduling';

export interface WrittenMessage {
  readonly type: ScheduledFields['type'];
  /** JSON: the id of a stream, or those of people. */
  readonly to: string;
  readonly topic: string | undefined;
  readonly content: string;
  readonly client: string;
  readonly isReadBySender: boolean | undefined;
  readonly dueAt: number;
  /** Names the request, so that it can be repeated. */
  readonly request: string | undefined;
}

export async function scheduleMessage(chat: Sending, by: User, written: WrittenMessage) {
  const { request } = written;
  const known = await scheduled.idOfRequest(chat.mysql, by.id, request);
  if (known !== undefined) return { scheduled_message_id: known };
  checkDue(written.dueAt, chat.clock.now().getTime());
  const to = recipientsOf(written.type, written.to);
  const { client, dueAt } = written;
  const fields = await check(chat, by, { ...written, to });
  const isToSelf = fields.type === 'private' && fields.to.every((id) => id === by.id);
  const isReadBySender = written.isReadBySender ?? (isHumanClient(client) && !isToSelf);
  const whole = { ...fields, client, dueAt, isReadBySender, reminder: null, request };
  const id = await scheduleOnce(chat, by, request, async (tx) => {
    const message = await scheduled.insert(tx.db, by, whole);
    await checkSize(tx, by, false);
    sendAtItsTime(chat, tx, message);
    publish(tx, by, { type: 'scheduled_messages', op: 'add', scheduled_messages: [wireScheduled(message)] });
    return message.id;
  });
  return { scheduled_message_id: id };
}

export interface MessageChange {
  readonly type?: ScheduledFields['type'] | undefined;
  readonly to?: string | undefined;
  readonly topic?: string | undefined;
  readonly content?: string | undefined;
  readonly dueAt?: number | undefined;
}

export async function editScheduled(
  chat: Sending,
  by: User,
  id: number,
  { client, ...change }: MessageChange & { readonly client: string },
) {
  checkChange(change);
  const { dueAt } = change;
  if (dueAt !== undefined) checkDue(dueAt, chat.clock.now().getTime());
  const found = await scheduled.ofUser(chat.mysql, by.id, id, false);
  if (!found) throw noSuchScheduled();
  const fields = {
    ...(await changedFields(chat, by, found, change)),
    client,
    ...(dueAt === undefined ? {} : { dueAt }),
  };
  await chat.transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    const locked = await scheduled.lock(tx.db, by.id, id, false);
    if (!locked) throw noSuchScheduled();
    // It waits for no time any more.
    ensure(locked.error === null || dueAt !== undefined, notInFuture());
    const message = await scheduled.change(tx.db, locked, fields);
    await checkSize(tx, by, false);
    forgetMail(tx, message);
    sendAtItsTime(chat, tx, message);
    publish(tx, by, { type: 'scheduled_messages', op: 'update', scheduled_message: wireScheduled(message) });
  });
  return {};
}

export async function cancelScheduled(chat: Sending, by: User, id: number) {
  await chat.transaction(async (tx) => {
    ensure(await scheduled.removeOwn(tx.db, by.id, id, false), noSuchScheduled());
    forgetMail(tx, { id, realmId: by.realmId });
    publish(tx, by, { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
  });
  return {};
}

function checkChange({ type, to, topic, content, dueAt }: MessageChange): void {
  const isEmpty = [type, to, topic, content, dueAt].every((each) => each === undefined);
  ensure(!isEmpty, nothingScheduled());
  ensure(type === undefined || to !== undefined, needsRecipient());
  ensure(type !== 'stream' || topic !== undefined, needsTopic());
}

/** What is changed beside the time. A topic alone is not sent anywhere yet, so it is only checked as a topic. */
async function changedFields(
  chat: Sending,
  by: User,
  found: ScheduledMessage,
  { type = found.type, to, topic, content }: MessageChange,
): Promise<Partial<ScheduledFields>> {
  if (to !== undefined || content !== undefined) {
    const whole = {
      type,
      to: to === undefined ? found.to : recipientsOf(type, to),
      topic: topic ?? found.topic,
      content: content ?? found.content,
      client: found.client,
    };
    return check(chat, by, whole);
  }
  return topic !== undefined && found.type === 'stream' ? { topic: checkTopic(topic, chat.tooLong) } : {};
}

type Checked = Pick<ScheduledFields, 'type' | 'to' | 'topic' | 'content' | 'rendered'>;
type ToCheck = Pick<ScheduledFields, 'type' | 'to' | 'content' | 'client'> & Pick<Draft, 'topic'>;

/** As if it were sent now. */
async function check(chat: Sending, by: User, { type, to, topic, content, client }: ToCheck): Promise<Checked> {
  const { message, addressed } = await prepareMessage(chat, by, {
    type,
    to: JSON.stringify(to),
    topic,
    content,
    client,
  });
  const { destination } = addressed;
  const written = { type, topic: message.topic, content: message.content, rendered: message.rendered };
  if (destination.type === 'stream') return { ...written, to: [destination.streamId] };
  const others = destination.members.map(({ id }) => id).filter((id) => id !== by.id);
  return { ...written, to: others.length === 0 ? [by.id] : others };
}

/** Ids alone: names and addresses may belong to somebody else by then. */
function recipientsOf(type: ScheduledFields['type'], written: string): number[] {
  const wrong = type === 'stream' ? badStreamId : badRecipients;
  let parsed: unknown;
  try {
    parsed = JSON.parse(written);
  } catch {
    throw wrong();
  }
  const ids: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  ensure(
    ids.every((id) => typeof id === 'number' && Number.isSafeInteger(id)),
    wrong(),
  );
  ensure(type !== 'stream' || ids.length === 1, wrong());
  return ids as number[];
}
