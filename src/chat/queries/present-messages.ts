/** Messages as one reader gets them over the wire, with everything they refer to looked up for all of them at once. */
import type { Kernel } from '../../kernel/kernel';
import type { Message } from '../model/message';
import { flagsOf } from '../model/read-state';
import type { User, UserId } from '../model/user';
import { avatarOf, messageFields, type Destination } from '../model/wire-message';
import { loadSurroundings, type Surroundings } from '../store/message-surroundings';
import * as reactions from '../store/reactions';
import { load, marksOf } from '../store/read-state';
import { findSubdomain } from './find-public-url';
import { findTopicLinks } from './find-vocabulary';

export interface Presentation {
  readonly wantsHtml: boolean;
  /** The client computes default avatars itself and is sent null. */
  readonly computesAvatars: boolean;
}

export async function presentMessages(
  kernel: Kernel,
  by: User,
  messages: readonly Message[],
  how: Presentation,
): Promise<Record<string, unknown>[]> {
  if (messages.length === 0) return [];
  const db = kernel.mysql;
  const around = await loadSurroundings(db, by.realmId, messages);
  // In this order: what is folded from an exception into a cursor meanwhile is then seen twice, and never missed.
  const marks = await marksOf(db, by.id, messages);
  const state = await load(db, by.id, [...new Set(messages.map(({ recipientId }) => recipientId))]);
  const subdomain = await findSubdomain(kernel, by.realmId);
  const linksOf = await findTopicLinks(kernel, by.realmId);
  const reacted = await reactions.byMessages(
    db,
    by.realmId,
    messages.map(({ id }) => id),
  );
  return messages.map((message) => {
    const sender = around.people.get(message.senderId)!;
    return {
      id: message.id,
      ...messageFields(message, sender, destinationOf(message, around), { subdomain, linksOf }),
      reactions: reacted.get(message.id) ?? [],
      ...contentOf(message, how),
      ...editsOf(message, around.showsEdits),
      // Every avatar is the default service's so far.
      avatar_url: how.computesAvatars ? null : avatarOf(sender),
      flags: flagsOf(state, message, marks),
    };
  });
}

function destinationOf({ recipientId, topicId }: Message, around: Surroundings): Destination {
  if (topicId !== null) return { type: 'stream', streamId: recipientId, name: around.streams.get(recipientId) ?? '' };
  const members = (around.members.get(recipientId) ?? []).flatMap((id: UserId): User[] => {
    const user = around.people.get(id);
    return user ? [user] : [];
  });
  return { type: 'private', members };
}

const contentOf = (message: Message, { wantsHtml }: Presentation) =>
  wantsHtml
    ? { content: message.rendered, content_type: 'text/html' }
    : { content: message.content, content_type: 'text/x-markdown' };

function editsOf({ editedAt, edits }: Message, showsEdits: boolean): Record<string, unknown> {
  if (editedAt === null) return {};
  return { last_edit_timestamp: editedAt, ...(showsEdits && edits.length > 0 ? { edit_history: edits } : {}) };
}
