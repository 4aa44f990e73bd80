/** Builds messages in the wire format for one reader, and looks up everything they refer to at once. */
import { idsOf } from '../../../kernel/group';
import { mapRead, together, type Read } from '../../../kernel/mysql/read-packet';
import { linkedTopics } from '../../caches/vocabularies';
import type { Message } from '../../model/messages/message';
import { profileOf, type ProfileName } from '../../model/profiles/profiles';
import { messageFields, type Destination } from '../../model/messages/wire-message';
import { flagsOf, type MessageRef } from '../../model/reading/read-state';
import { avatarOf, hasDefaultAvatar } from '../../model/uploads/avatar';
import type { User } from '../../model/users/user';
import { reactionsRead } from '../../store/messages/reactions';
import { surroundingsRead, type Surroundings } from '../../store/reading/message-surroundings';
import { marksRead, stateRead } from '../../store/reading/read-state';

export interface Presentation {
  readonly wantsHtml: boolean;
  /** The client computes default avatars itself, and gets null. */
  readonly computesAvatars: boolean;
  readonly profile?: ProfileName;
}

export type Present = (message: Message) => Record<string, unknown>;

/** Returns a function that presents any of these messages. */
export function presentRead(by: User, refs: readonly MessageRef[], how: Presentation): Read<Present> {
  const read = together({
    around: surroundingsRead(by.realmId, refs),
    // Marks before cursors: an exception that is folded into a cursor meanwhile is then seen twice, never missed.
    marks: marksRead(by.id, refs),
    state: stateRead(by.id, [...new Set(refs.map(({ recipientId }) => recipientId))]),
    reacted: reactionsRead(by.realmId, idsOf(refs)),
  });
  return mapRead(read, ({ around, marks, state, reacted }) => {
    const { message: shown } = profileOf(how.profile);
    const realm = { subdomain: around.realm.subdomain, linksOf: linkedTopics(around.linkifiers) };
    return (message) => {
      const sender = around.senders.get(message.senderId)!;
      const shape = {
        id: message.id,
        ...messageFields(message, sender, destinationOf(message, around), realm),
        reactions: reacted.get(message.id) ?? [],
        ...contentOf(message, how),
        ...editsOf(message, around.realm.showsEdits),
        avatar_url: how.computesAvatars && hasDefaultAvatar(sender) ? null : avatarOf(sender),
        flags: flagsOf(state, message, marks),
      };
      return shown(shape, { links: realm.linksOf(message.topic), source: message.content });
    };
  });
}

function destinationOf({ recipientId, topicId }: Message, around: Surroundings): Destination {
  if (topicId !== null) return { type: 'stream', streamId: recipientId, name: around.streams.get(recipientId) ?? '' };
  return { type: 'private', members: around.members.get(recipientId) ?? [] };
}

const contentOf = (message: Message, { wantsHtml }: Presentation) =>
  wantsHtml
    ? { content: message.rendered, content_type: 'text/html' }
    : { content: message.content, content_type: 'text/x-markdown' };

function editsOf({ editedAt, edits }: Message, showsEdits: boolean): Record<string, unknown> {
  if (editedAt === null) return {};
  return { last_edit_timestamp: editedAt, ...(showsEdits && edits.length > 0 ? { edit_history: edits } : {}) };
}
