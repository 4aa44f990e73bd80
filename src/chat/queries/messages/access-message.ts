/** Messages that the user may see: whole, as Markdown, or with their history. */
import { ensure, type Fault } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { historyAnswer, snapshot } from '../../model/answers/messages';
import { badRequest } from '../../model/faults';
import { contentDiff } from '../../model/markdown/content-diff';
import { historyDisabled } from '../../model/messages/edit-policy';
import type { Message } from '../../model/messages/message';
import { hasReceived, mayReadHistory } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import * as realms from '../../store/organisation/realms';
import * as readState from '../../store/reading/read-state';
import * as streams from '../../store/streams/streams';

export const invalidMessages = (): Fault => badRequest('Invalid message(s)');

/**
 * The error is the same whether a message is hidden or does not exist. With a transaction's database, this sees the rows
 * that the transaction locked.
 */
export async function accessMessage(db: Database, by: User, id: number): Promise<Message> {
  const [message] = await messages.byIds(db, by.realmId, [id]);
  if (!message || (await readable(db, by, [message])).length === 0) throw invalidMessages();
  return message;
}

/** As above, for a change to the message: nothing changes in an archived stream. */
export async function accessForChange(db: Database, by: User, id: number): Promise<Message> {
  const message = await accessMessage(db, by, id);
  if (message.topicId === null) return message;
  const stream = await streams.byId(db, by.realmId, message.recipientId);
  ensure(stream?.isArchived !== true, invalidMessages());
  return message;
}

type Placed = Pick<Message, 'recipientId' | 'topicId'> & { readonly id: number };

/** Filters messages to those that the user may see. */
export async function readable<M extends Placed>(db: Database, by: User, found: readonly M[]): Promise<M[]> {
  if (found.length === 0) return [];
  const state = await readState.load(db, by.id, [...new Set(found.map(({ recipientId }) => recipientId))]);
  const others = found.filter((message) => message.topicId !== null && !hasReceived(state, message));
  const known = await streams.byIds(db, by.realmId, [...new Set(others.map(({ recipientId }) => recipientId))]);
  const open = new Set(
    known
      .filter((stream) =>
        mayReadHistory(by.role === 'guest', stream, state.places.get(stream.id)?.isSubscribed ?? false),
      )
      .map(({ id }) => Number(id)),
  );
  return found.filter(
    (message) => hasReceived(state, message) || (message.topicId !== null && open.has(message.recipientId)),
  );
}

/** Returns a message's Markdown source, for editing or quoting. */
export async function getRawMessage(db: Database, by: User, id: number): Promise<{ raw_content: string }> {
  return { raw_content: (await accessMessage(db, by, id)).content };
}

/** The versions of a message at each of its edits, oldest first. */
export async function getHistory(db: Database, by: User, id: number): Promise<Wire<typeof historyAnswer>> {
  const { settings } = (await realms.byId(db, by.realmId))!;
  ensure(settings.allow_edit_history, historyDisabled());
  return { message_history: snapshots(await accessMessage(db, by, id)) };
}

/** Works from the newest version back: each edit records what it replaced. */
function snapshots(message: Message): Wire<typeof snapshot>[] {
  let now = { topic: message.topic, content: message.content, rendered_content: message.rendered };
  const found: Wire<typeof snapshot>[] = [];
  for (const edit of message.edits) {
    const { timestamp, user_id: userId, prev_subject: topic, prev_content: content, prev_stream, stream } = edit;
    const rendered = edit.prev_rendered_content ?? '';
    found.push({
      ...now,
      timestamp,
      user_id: userId,
      ...(topic === undefined ? {} : { prev_topic: topic }),
      ...(prev_stream === undefined || stream === undefined ? {} : { prev_stream, stream }),
      ...(content === undefined
        ? {}
        : {
            prev_content: content,
            prev_rendered_content: rendered,
            content_html_diff: contentDiff(rendered, now.rendered_content),
          }),
    });
    now = {
      topic: topic ?? now.topic,
      content: content ?? now.content,
      rendered_content: content === undefined ? now.rendered_content : rendered,
    };
  }
  return [...found, { ...now, timestamp: message.sentAt, user_id: message.senderId }].reverse();
}
