/** A requested edit of a message, and the events about it. */
import { badRequest } from '../faults';
import { checkContent, type TooLong } from './draft';
import type { ChatEvent } from '../events/event';
import type { TopicLink } from '../markdown/context';
import { TRAITS, type Edit, type Message } from './message';
import type { Stream } from '../streams/stream';
import type { User, UserId } from '../users/user';

export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** Which notices about a move are sent; undefined where the client does not know of notices. */
export interface Notices {
  readonly old: boolean | undefined;
  readonly new: boolean | undefined;
}

export interface Wish {
  readonly content?: string | undefined;
  readonly topic?: string | undefined;
  readonly streamId?: number | undefined;
  readonly mode: PropagateMode;
  readonly notices: Notices;
}

/** Clients delete content by sending an empty text. */
export const checkNewContent = (content: string, tooLong: TooLong): string =>
  content.trim() === '' && !content.includes('\0') ? '(deleted)' : checkContent(content, tooLong);

/** The edit history is stored and sent with the message, so its size is limited. */
const MAX_EDIT_BYTES = 1_000_000;

/** The list of edits with one more, newest first. */
export function withEdit(edits: readonly Edit[], edit: Edit): Edit[] {
  const all = [edit, ...edits];
  if (JSON.stringify(all).length > MAX_EDIT_BYTES) throw editedTooOften();
  return all;
}

export const editedTooOften = () =>
  badRequest(`This message has been edited too often (limit: ${MAX_EDIT_BYTES} bytes of history)`);

/** How long the list of edits may be before this one. */
export const historyBytesBefore = (edit: Edit): number => MAX_EDIT_BYTES - JSON.stringify([edit]).length;

export interface Change {
  readonly by: User;
  readonly before: Message;
  readonly after: Message;
  /** All changed messages, the edited one first. */
  readonly messageIds: readonly number[];
  readonly mode: PropagateMode;
  /** Null for a private message. */
  readonly streamName: string | null;
  readonly topicLinks: readonly TopicLink[];
  readonly mentionedBefore: readonly UserId[];
  readonly mentioned: readonly UserId[];
}

/** Adds flags, which differ between recipients; given as comma-separated text. */
export const withFlags = (event: ChatEvent, flags: string): ChatEvent => ({
  ...event,
  flags: flags === '' ? [] : flags.split(','),
});

const ABOUT_TOPICS = new Set(
  'type user_id sender edit_timestamp stream_name stream_id propagate_mode orig_subject subject subject_links topic_links rendering_only'.split(
    ' ',
  ),
);

/** The event for users who received some of the moved messages, but not the one whose content may have changed. */
export const topicPartOf = (event: ChatEvent, ids: readonly number[], flags: string): ChatEvent => ({
  ...withFlags(Object.fromEntries(Object.entries(event).filter(([key]) => ABOUT_TOPICS.has(key))) as ChatEvent, flags),
  message_id: ids[0],
  message_ids: ids,
});

/** The event without flags. */
export function updateEvent(change: Change): ChatEvent {
  const { by, before, after, messageIds, streamName } = change;
  return {
    type: 'update_message',
    user_id: by.id,
    sender: by.email,
    message_id: after.id,
    message_ids: messageIds,
    edit_timestamp: after.editedAt,
    rendering_only: false,
    ...(streamName === null ? {} : { stream_name: streamName }),
    ...(before.content === after.content ? {} : contentPart(change)),
    ...(before.topic === after.topic ? {} : topicPart(change)),
  };
}

/** The event for a new rendering of unchanged content: nobody has edited the message. */
export const renderingEvent = ({ id, content, rendered }: Message, sender: User): ChatEvent => ({
  type: 'update_message',
  sender: sender.email,
  message_id: id,
  message_ids: [id],
  rendering_only: true,
  content,
  rendered_content: rendered,
});

const contentPart = ({ before, after, mentioned, mentionedBefore }: Change) => ({
  orig_content: before.content,
  orig_rendered_content: before.rendered,
  prev_rendered_content_version: RENDERED_VERSION,
  content: after.content,
  rendered_content: after.rendered,
  is_me_message: (after.traits & TRAITS.me) !== 0,
  prior_mention_user_ids: mentionedBefore,
  mention_user_ids: mentioned,
  // Internal fields of Zulip that its clients expect.
  push_notify_user_ids: [],
  stream_push_user_ids: [],
  stream_email_user_ids: [],
  wildcard_mention_user_ids: [],
  presence_idle_user_ids: [],
});

/** Version of the Markdown rendering. There has been only one. */
const RENDERED_VERSION = 1;

const topicPart = ({ before, after, mode, topicLinks }: Change) => ({
  stream_id: after.recipientId,
  propagate_mode: mode,
  orig_subject: before.topic,
  subject: after.topic,
  ...linksPart(topicLinks),
});

const linksPart = (links: readonly TopicLink[]) => ({
  subject_links: links.map(({ url }) => url),
  topic_links: links,
});

interface StreamChange {
  readonly by: User;
  readonly old: { readonly stream: Stream; readonly topic: string };
  readonly to: { readonly streamId: number; readonly topic: string };
  readonly mode: PropagateMode;
  readonly links: readonly TopicLink[];
  readonly now: number;
}

/** The event of a move to another stream, without flags and ids. */
export const moveEvent = ({ by, old, to, mode, links, now }: StreamChange): ChatEvent => ({
  type: 'update_message',
  user_id: by.id,
  sender: by.email,
  edit_timestamp: now,
  rendering_only: false,
  stream_name: old.stream.name,
  stream_id: old.stream.id,
  new_stream_id: to.streamId,
  propagate_mode: mode,
  orig_subject: old.topic,
  subject: to.topic,
  ...linksPart(links),
});

/** What the history of each moved message tells. */
export const moveEdit = ({ by, old, to, now }: StreamChange): Edit => ({
  user_id: by.id,
  timestamp: now,
  prev_stream: old.stream.id,
  stream: to.streamId,
  ...(old.topic === to.topic ? {} : renamedTopic(old.topic, to.topic)),
});

/** The topic before under both names that Zulip has had for it. */
export const renamedTopic = (before: string, topic: string) => ({ prev_subject: before, prev_topic: before, topic });
