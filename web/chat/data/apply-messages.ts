/** Applies events about messages: new messages, edits, flags, reactions, deletions. */
import { changeLists, trimmed, withIds, withinLoaded, withoutIds } from './lists';
import { asEdited, asMoved, changeMessage, forgetMessage, messageById, putMessage, withFlag } from './messages';
import { isMentioned, matches, othersIn, type Surroundings } from './narrow';
import { wakeStreams } from '../streams/wake-streams';
import { noteTopic, renameTopic } from './topics';
import { chat, isMuted, useChat, type PrivateConversation } from './store';
import { addUnread, privateConversation, removeUnread, streamConversation, type UnreadMessage } from './unread';
import type { Message, Reaction, ServerEvent, Submessage } from './wire';
import { settleOutbox } from './outbox';

const surroundings = (): Surroundings => ({ ownId: chat().ownId, isMuted });

export function unreadEntry(message: Message): UnreadMessage {
  const isMention = isMentioned(message.flags);
  if (message.type === 'private') {
    return { id: message.id, conversation: privateConversation(othersIn(message, chat().ownId)), isMention };
  }
  const conversation = streamConversation(message.stream_id!, message.subject);
  return { id: message.id, conversation, topic: message.subject, isMention };
}

/** Called once for consecutive message events, in order. */
export function receiveMessages(events: readonly ServerEvent[]): readonly Message[] {
  const received = events.map((event) => {
    const message = { ...(event['message'] as Message), flags: (event['flags'] ?? []) as string[] };
    settleOutbox(message.id, event['local_message_id'] as string | undefined);
    return message;
  });
  const around = surroundings();
  const wanted = new Set<number>();
  changeLists((list) => {
    if (!list.hasNewest && !list.isLoading) return list;
    const fitting = received.filter((message) => matches(list.narrow, message, around));
    for (const message of fitting) wanted.add(message.id);
    if (fitting.length === 0) return list;
    const ids = fitting.map(({ id }) => id);
    return list.hasNewest ? trimmed(withIds(list, ids)) : { ...list, late: [...list.late, ...ids] };
  });
  for (const message of received) {
    if (wanted.has(message.id)) putMessage(message);
    if (message.type === 'stream') noteTopic(message.stream_id!, message.subject, message.id);
  }
  const unread = received.filter(({ flags }) => !flags.includes('read')).map(unreadEntry);
  useChat.setState((state) => ({
    ...wakeStreams(state, received),
    unread: addUnread(state.unread, unread),
    conversations: withLatest(state.conversations, received),
  }));
  return received;
}

function withLatest(
  conversations: readonly PrivateConversation[],
  received: readonly Message[],
): readonly PrivateConversation[] {
  let next = conversations;
  for (const message of received) {
    if (message.type !== 'private') continue;
    const userIds = othersIn(message, chat().ownId);
    const key = userIds.join();
    next = [{ userIds, maxId: message.id }, ...next.filter((each) => each.userIds.join() !== key)];
  }
  return next;
}

/** Drops the text with search highlights, because it is outdated. */
function withoutHighlight(message: Message): Message {
  const { match_content, ...rest } = message;
  return match_content === undefined ? message : rest;
}

export function updateMessage(event: ServerEvent): void {
  const ids = event['message_ids'] as number[];
  const id = event['message_id'] as number;
  const editedAt = event['edit_timestamp'] as number | undefined;
  const content = event['rendered_content'] as string | undefined;
  if (content !== undefined) {
    changeMessage(id, (message) => ({
      ...withoutHighlight(message),
      content,
      is_me_message: Boolean(event['is_me_message'] ?? message.is_me_message),
      ...(editedAt === undefined ? {} : asEdited(editedAt)),
      flags: (event['flags'] as string[] | undefined) ?? message.flags,
    }));
  }
  const subject = event['subject'] as string | undefined;
  if (subject === undefined) return;
  const before = { streamId: event['stream_id'] as number, topic: event['orig_subject'] as string };
  const streamId = (event['new_stream_id'] as number | undefined) ?? before.streamId;
  moveMessages(ids, before, { streamId, topic: subject });
}

interface TopicPlace {
  readonly streamId: number;
  readonly topic: string;
}

function moveMessages(ids: readonly number[], before: TopicPlace, to: TopicPlace): void {
  const at = Date.now() / 1000;
  const moved = new Set(ids);
  const name = chat().streams.get(to.streamId)?.name;
  const stream = { stream_id: to.streamId, ...(name === undefined ? {} : { display_recipient: name }) };
  for (const id of ids) {
    changeMessage(id, (message) => ({ ...message, ...stream, ...asMoved(message, at), subject: to.topic }));
  }
  renameTopic(before, to, Math.max(...ids));
  const around = surroundings();
  changeLists((list) => {
    if (!('streamId' in list.narrow) || ![before.streamId, to.streamId].includes(list.narrow.streamId)) return list;
    if (list.narrow.kind === 'stream' && before.streamId === to.streamId) return list;
    const left = withoutIds(list, moved);
    const fitting = ids.filter((id) => {
      const message = messageById(id);
      return message !== undefined && matches(list.narrow, message, around);
    });
    const { narrow } = list;
    const isTarget =
      narrow.streamId === to.streamId &&
      (narrow.kind === 'stream' || narrow.topic.toLowerCase() === to.topic.toLowerCase());
    const isLacking = isTarget && ids.some((id) => !messageById(id));
    return withinLoaded(isLacking ? { ...left, isLacking } : left, fitting);
  });
  useChat.setState(({ unread }) => {
    const unreadIds = ids.filter((id) => unread.conversationOf.has(id));
    const entries = unreadIds.map((id) => ({
      id,
      conversation: streamConversation(to.streamId, to.topic),
      topic: to.topic,
      isMention: unread.mentions.has(id),
    }));
    return { unread: addUnread(removeUnread(unread, unreadIds), entries) };
  });
}

export function deleteMessage(event: ServerEvent): void {
  const ids = [event['message_id'] as number];
  changeLists((list) => withoutIds(list, new Set(ids)));
  for (const id of ids) forgetMessage(id);
  useChat.setState(({ unread, starred }) => ({
    unread: removeUnread(unread, ids),
    starred: new Set([...starred].filter((id) => !ids.includes(id))),
  }));
}

export function updateFlags(event: ServerEvent): void {
  const flag = event['flag'] as string;
  const isOn = event['operation'] === 'add';
  const isAll = event['all'] === true;
  const ids = isAll ? [...chat().unread.conversationOf.keys()] : (event['messages'] as number[]);
  setFlag(ids, flag, isOn);
}

/** Changes only the local state. The server already knows, or the caller tells it. */
export function setFlag(ids: readonly number[], flag: string, isOn: boolean): void {
  for (const id of ids) changeMessage(id, (message) => withFlag(message, flag, isOn));
  if (flag === 'read') {
    if (isOn) useChat.setState(({ unread }) => ({ unread: removeUnread(unread, ids) }));
    else {
      const known = ids.flatMap((id) => messageById(id) ?? []);
      useChat.setState(({ unread }) => ({ unread: addUnread(unread, known.map(unreadEntry)) }));
    }
  }
  if (flag !== 'starred') return;
  useChat.setState(({ starred }) => {
    const next = new Set(starred);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    return { starred: next };
  });
  changeLists((list) => (list.narrow.kind === 'starred' && isOn ? withinLoaded(list, known(ids)) : list));
}

const known = (ids: readonly number[]): number[] => ids.filter((id) => messageById(id) !== undefined);

export function react(event: ServerEvent): void {
  const user = event['user'] as { user_id: number; full_name: string };
  const { emoji_name, emoji_code, reaction_type } = event as unknown as Reaction;
  const isSame = (each: Reaction): boolean =>
    each.emoji_code === emoji_code && each.reaction_type === reaction_type && each.user.id === user.user_id;
  changeMessage(event['message_id'] as number, (message) => {
    const others = message.reactions.filter((each) => !isSame(each));
    if (event.op !== 'add') return { ...message, reactions: others };
    const added = { emoji_name, emoji_code, reaction_type, user: { id: user.user_id, full_name: user.full_name } };
    return { ...message, reactions: [...others, added] };
  });
}

export function addSubmessage(event: ServerEvent): void {
  const { sender_id, msg_type, content } = event as unknown as Submessage;
  const added = { id: event['submessage_id'] as number, sender_id, msg_type, content };
  changeMessage(event['message_id'] as number, (message) => {
    const before = message.submessages ?? [];
    return before.some(({ id }) => id === added.id) ? message : { ...message, submessages: [...before, added] };
  });
}
