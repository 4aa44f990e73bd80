/** Resolves a message's stream and its audience, if the sender may post there, or the people of a private message. */
import { isDuplicate } from '../../../kernel/mysql/outcome';
import type { Database } from '../../../kernel/mysql/pool';
import { isSameEmail } from '../../../kernel/secrets/email-key';
import type { TopicCache } from '../../caches/message-places';
import type { AudienceCache, StreamAudience } from '../../caches/stream-audiences';
import { encodeAudience } from '../../model/events/audience';
import { badRequest, noSuchStream, noSuchStreamId } from '../../model/faults';
import type { Addressees } from '../../model/messages/addressees';
import { messagePrefix } from '../../model/messages/message-event';
import { POST_POLICY, type Stream } from '../../model/streams/stream';
import {
  checkMayPost,
  guestsStayOut,
  isGuest,
  isNewcomer,
  isOpenTo,
  newcomersStayOut,
} from '../../model/streams/stream-policy';
import type { RealmId } from '../../model/organisation/realm';
import type { User, UserId } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as bots from '../../store/bots/bots';
import { insertConversation } from '../../store/messages/recipients';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import type { Addressed } from './compose-message';

export async function addressStream(chat: Sending, by: User, to: Addressees, topic: string): Promise<Addressed> {
  const name = to[0] ?? (await defaultStream(chat.mysql, by));
  if (name === null) throw badRequest('Missing stream');
  if (to.length > 1) throw badRequest('Cannot send to multiple streams');
  const audience = await findWritable(chat, by, name);
  return addressTopic(chat.topics, audience, topic);
}

export async function addressTopic(topics: TopicCache, audience: StreamAudience, topic: string): Promise<Addressed> {
  const { stream, subscribers, prefix } = audience;
  return {
    realmId: stream.realmId,
    recipientId: stream.id,
    topicId: await topics.ensure(stream.id, topic),
    topic,
    destination: { type: 'stream', streamId: stream.id, name: stream.name },
    prefix,
    subscribers,
    isPublic: !stream.isPrivate,
    stream: { id: stream.id, version: stream.version },
  };
}

/** A bot's default stream, for messages that name no stream. */
async function defaultStream(db: Database, by: User): Promise<string | null> {
  return by.botType === null ? null : (await bots.defaultsOf(db, by.id)).sendingStream;
}

export async function findWritable(chat: Sending, by: User, name: string | number): Promise<StreamAudience> {
  const kept = await findNamed(chat.audiences, by, name);
  // Everyone may post there. The send's commit checks that this still holds.
  if (isOpenTo(by, kept.stream)) return kept;
  const owner = by.botOwnerId === null ? undefined : (await people.byIds(chat.mysql, by.realmId, [by.botOwnerId]))[0];
  try {
    checkMayPost(by, owner, kept.stream, kept.subscribers);
    await checkNewcomer(chat, owner ?? by, kept.stream);
    return kept;
  } catch {
    // The cache may be older than the permission. Only fresh data may refuse.
    chat.audiences.delete(by.realmId, name);
    chat.audiences.delete(by.realmId, kept.stream.id);
    const fresh = await findNamed(chat.audiences, by, name);
    checkMayPost(by, owner, fresh.stream, fresh.subscribers);
    await checkNewcomer(chat, owner ?? by, fresh.stream);
    return fresh;
  }
}

/** Of few streams, so only they pay for the look at the settings. */
async function checkNewcomer({ mysql, clock }: Sending, by: User, { postPolicy, realmId }: Stream): Promise<void> {
  if (postPolicy !== POST_POLICY.noNewcomers) return;
  if (isGuest(by)) throw guestsStayOut();
  const { settings } = (await realms.byId(mysql, realmId))!;
  if (isNewcomer(by, settings, clock.now())) throw newcomersStayOut();
}

async function findNamed(audiences: AudienceCache, by: User, name: string | number): Promise<StreamAudience> {
  const audience = (await audiences.find(by.realmId, name)) ?? (await findByBareId(audiences, by, name));
  if (!audience) throw typeof name === 'number' ? noSuchStreamId(name) : noSuchStream(name);
  return audience;
}

/** A bare number is tried as a stream name first, then as an id, as in Zulip. */
async function findByBareId(
  audiences: AudienceCache,
  by: User,
  name: string | number,
): Promise<StreamAudience | undefined> {
  const isBareId = typeof name === 'string' && /^\d{1,15}$/.test(name);
  return isBareId ? audiences.find(by.realmId, Number(name)) : undefined;
}

/** Creates the conversation of these people if necessary. */
export async function addressPeople(chat: Sending, by: User, to: Addressees): Promise<Addressed> {
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

async function begin(chat: Sending, realmId: RealmId, members: readonly UserId[]): Promise<number> {
  try {
    return await chat.transaction((tx) => insertConversation(tx.db, realmId, members));
  } catch (error) {
    // Another request created the conversation at the same time: use that one.
    if (!isDuplicate(error)) throw error;
    return (await chat.conversations.find(realmId, members))!;
  }
}
