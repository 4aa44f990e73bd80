/** Resolves a message's stream and its audience, and checks that the sender may post there. */
import type { Database } from '../../../kernel/mysql/pool';
import type { Addressees } from '../../model/messages/addressees';
import { badRequest, noSuchStream, noSuchStreamId } from '../../model/faults';
import { checkMayPost, isOpenTo } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import type { StreamAudience, AudienceCache } from '../../caches/stream-audiences';
import type { Chat } from '../../parts';
import * as bots from '../../store/bots/bots';
import * as people from '../../store/users/people';
import type { Addressed } from './compose-message';

type Parts = Pick<Chat, 'audiences' | 'mysql' | 'topics'>;

export async function addressStream(chat: Parts, by: User, to: Addressees, topic: string): Promise<Addressed> {
  const name = to[0] ?? (await defaultStream(chat.mysql, by));
  if (name === null) throw badRequest('Missing stream');
  if (to.length > 1) throw badRequest('Cannot send to multiple streams');
  const audience = await findWritable(chat, by, name);
  return addressedBy(audience, await chat.topics.ensure(audience.stream.id, topic), topic);
}

export const addressedBy = (
  { stream, subscribers, prefix }: StreamAudience,
  topicId: number,
  topic: string,
): Addressed => ({
  realmId: stream.realmId,
  recipientId: stream.id,
  topicId,
  topic,
  destination: { type: 'stream', streamId: stream.id, name: stream.name },
  prefix,
  subscribers,
  isPublic: !stream.isPrivate,
  stream: { id: stream.id, version: stream.version },
});

/** A bot's default stream, for messages that name no stream. */
async function defaultStream(db: Database, by: User): Promise<string | null> {
  return by.botType === null ? null : (await bots.defaultsOf(db, by.id)).sendingStream;
}

export async function findWritable(
  chat: Pick<Chat, 'audiences' | 'mysql'>,
  by: User,
  name: string | number,
): Promise<StreamAudience> {
  const kept = await findNamed(chat.audiences, by, name);
  // Everyone may post there. The send's commit checks that this still holds.
  if (isOpenTo(by, kept.stream)) return kept;
  const owner = by.botOwnerId === null ? undefined : (await people.byIds(chat.mysql, by.realmId, [by.botOwnerId]))[0];
  try {
    checkMayPost(by, owner, kept.stream, kept.subscribers);
    return kept;
  } catch {
    // The cache may be older than the permission. Only fresh data may refuse.
    chat.audiences.delete(by.realmId, name);
    chat.audiences.delete(by.realmId, kept.stream.id);
    const fresh = await findNamed(chat.audiences, by, name);
    checkMayPost(by, owner, fresh.stream, fresh.subscribers);
    return fresh;
  }
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
