/** Resolves the recipients of a private message and their conversation, creating it if necessary. */
import type { Database } from '../../../kernel/mysql/pool';
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { Storage } from '../../../kernel/kernel';
import { isDuplicate } from '../../../kernel/mysql/outcome';
import { encodeAudience } from '../../model/events/audience';
import { badRequest } from '../../model/faults';
import type { Addressees } from '../../model/messages/addressees';
import { messagePrefix } from '../../model/messages/message-event';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { insertConversation } from '../../store/messages/recipients';
import * as people from '../../store/users/people';
import type { Addressed } from './compose-message';

type Parts = Pick<Chat, 'conversations' | 'transaction'>;

export async function addressPeople(
  chat: Storage & Pick<Chat, 'conversations'>,
  by: User,
  to: Addressees,
): Promise<Addressed> {
  if (to.length === 0) throw badRequest('Message must have recipients');
  const named = await findPeople(chat.mysql, by.realmId, to);
  const members = [...new Map([by, ...named].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id);
  const ids = members.map(({ id }) => id);
  return {
    realmId: by.realmId,
    recipientId: (await chat.conversations.find(by.realmId, ids)) ?? (await begin(chat, by.realmId, ids)),
    topicId: null,
    topic: '',
    destination: { type: 'private', members },
    prefix: messagePrefix(encodeAudience(ids)),
    subscribers: new Set(ids),
    isPublic: false,
    stream: undefined,
  };
}

async function findPeople(db: Database, realmId: RealmId, to: Addressees): Promise<User[]> {
  const found =
    typeof to[0] === 'number'
      ? await people.byIds(db, realmId, to as readonly number[])
      : await people.byEmails(db, realmId, to as readonly string[]);
  for (const one of to) {
    const user = found.find(({ id, email }) => (typeof one === 'number' ? id === one : isSameEmail(email, one)));
    if (!user) throw badRequest(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`);
    if (!user.isActive) throw badRequest(`'${user.email}' is no longer using Zulip.`);
  }
  return found;
}

async function begin(chat: Parts, realmId: RealmId, members: readonly UserId[]): Promise<number> {
  try {
    return await chat.transaction((tx) => insertConversation(tx.db, realmId, members));
  } catch (error) {
    // Another request created the conversation at the same time: use that one.
    if (!isDuplicate(error)) throw error;
    return (await chat.conversations.find(realmId, members))!;
  }
}
