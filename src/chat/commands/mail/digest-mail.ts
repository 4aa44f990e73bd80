/** Writes the weekly mail to somebody who was away: the busiest topics of their streams. */
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { Composed, Surroundings } from '../../model/mail/composed';
import { type BusyTopic, DIGEST_SECONDS, wantsDigest } from '../../model/mail/digest';
import type { About } from '../../model/mail/mail';
import { digestText } from '../../model/mail/mail-texts';
import { realmTenant } from '../../model/organisation/realm';
import { wordsFor } from '../../model/texts/chat-words';
import type { User } from '../../model/users/user';
import * as counters from '../../store/counters';
import * as digests from '../../store/mail/digests';
import * as messages from '../../store/messages/messages';
import { idSince } from '../../store/reading/message-dates';
import * as streams from '../../store/streams/streams';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import * as users from '../../store/users/users';
import { whoIsAway } from './request-digests';
import { oneClickHeaders, unsubscribeLink } from './unsubscribe';

const MAX_TOPICS = 5;
const MAX_NAMES = 3;
/** Of a busier organisation only so many messages of the week are looked at. */
const MAX_MESSAGES = 20_000;

export async function composeDigest(
  kernel: Storage & Keyspace,
  { userId }: Extract<About, { kind: 'digest' }>,
  { realm, organisation }: Surroundings,
): Promise<Composed> {
  const { mysql, secrets, clock } = kernel;
  const user = await users.byId(mysql, realm.id, userId);
  if (user?.isActive !== true) return { dropped: 'The user is deactivated' };
  const own = await settings.ofUser(mysql, user.id);
  if (!wantsDigest(own)) return { dropped: 'The user wants no weekly mail' };
  if (!(await whoIsAway(kernel, realm.id, [user.id], clock.now())).has(user.id)) {
    return { dropped: 'The user is back' };
  }
  const topics = await busyTopics(kernel, user);
  if (topics.length === 0) return { dropped: 'Nothing has happened meanwhile' };
  const unsubscribe = unsubscribeLink(secrets, organisation, user, 'digest');
  return {
    letter: {
      ...digestText(wordsFor(realm, own), { organisation, topics, unsubscribe }),
      headers: oneClickHeaders(unsubscribe),
    },
  };
}

async function busyTopics({ mysql, clock }: Storage, { id: userId, realmId }: User): Promise<BusyTopic[]> {
  const head = await counters.headOf(mysql, realmTenant(realmId));
  const since = Math.floor(clock.now().getTime() / 1000) - DIGEST_SECONDS;
  const fromId = Math.max(await idSince(mysql, realmId, since, head), head - MAX_MESSAGES);
  const busy = await digests.busiestTopics(mysql, { realmId, userId, fromId }, MAX_TOPICS);
  const newest = await messages.byIds(
    mysql,
    realmId,
    busy.map(({ newestId }) => newestId),
  );
  const topics = new Map(newest.map(({ topicId, topic }) => [topicId, topic]));
  const found = await streams.byIds(
    mysql,
    realmId,
    busy.map(({ streamId }) => streamId),
  );
  const senders = await digests.sendersIn(
    mysql,
    { realmId, fromId },
    busy.map(({ topicId }) => topicId),
  );
  const names = await people.namesOf(
    mysql,
    senders.map(({ senderId }) => senderId),
  );
  return busy.flatMap(({ topicId, streamId, newestId, count }) => {
    const [stream, topic] = [found.find(({ id }) => id === streamId), topics.get(topicId)];
    if (!stream || topic === undefined) return [];
    const all = senders.filter((sender) => sender.topicId === topicId);
    const shown = all.slice(0, MAX_NAMES).flatMap(({ senderId }) => names.get(senderId) ?? []);
    return { stream, topic, newestId, count, senders: shown, others: all.length - shown.length };
  });
}
