/** A mention of everybody may be mailed to each subscriber of a stream: they are gone through one page after the other. */
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Tx } from '../../../kernel/mysql/transaction';
import { missedMessages } from '../../actors/mailboxes';
import { type CalledAll, hasSeen } from '../../model/missed/missed-messages';
import { mailedAsCalled } from '../../model/missed/missed-rules';
import { realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { lastActive } from '../../queries/users/list-presences';
import * as candidates from '../../store/missed/missed-candidates';
import * as missed from '../../store/missed/missed-messages';
import type { Scanning } from './note-missed';

/** So that a turn is short, however large the stream is. */
const PAGE = 500;

export const callSubscribers = (tx: Tx, called: CalledAll): void =>
  missedMessages.at(realmTenant(called.realmId), `called-${called.calledBy}`).send(tx, called);

export async function noteCalled(chat: Scanning, { realmId, calledBy, after }: CalledAll): Promise<Ending> {
  const { mysql } = chat;
  const [message] = await candidates.streamMessages(mysql, { realmId, from: calledBy, to: calledBy, since: 0 });
  if (!message) return dropped('The message was deleted');
  const { people, last } = await candidates.subscribersAfter(mysql, message.recipientId, after, PAGE);
  const idsOf = (some: readonly { readonly userId: CalledAll['after'] }[]) => some.map(({ userId }) => userId);
  const policies = await candidates.policiesOf(mysql, [message.topicId], idsOf(people));
  const called = mailedAsCalled({ ...message, realmId }, people, policies);
  const muters = (await candidates.mutersOf(mysql, realmId, [message])).get(message.senderId as UserId) ?? [];
  const active = await lastActive(chat, realmId, idsOf(called));
  const away = called.filter(({ sentAt, userId }) => !muters.includes(userId) && !hasSeen(sentAt, active.get(userId)));
  return done({
    async write(tx) {
      await missed.insert(tx.db, away);
      if (last !== undefined) callSubscribers(tx, { realmId, calledBy, after: last });
    },
  });
}
