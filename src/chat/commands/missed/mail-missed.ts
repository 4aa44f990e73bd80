/** Mails what absent users missed, after a collecting period: one mail for each conversation. */
import { groupBy } from '../../../kernel/group';
import type { Storage, Kernel } from '../../../kernel/kernel';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Database } from '../../../kernel/mysql/pool';
import type { Query } from '../../../kernel/mysql/read-together';
import type { Keyspace } from '../../../kernel/redis/connections';
import { missedMessages } from '../../actors/mailboxes';
import { hasSeen, type MissedBy } from '../../model/missed/missed-messages';
import { realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { stillMailedTo } from '../../queries/missed/still-mailed';
import { unreadAmong } from '../../queries/reading/unread-messages';
import { lastActive } from '../../queries/users/list-presences';
import * as messages from '../../store/messages/messages';
import * as missed from '../../store/missed/missed-messages';
import * as people from '../../store/users/people';
import { postMail } from '../mail/post-mail';

/** Limits of one turn. The next turn takes the rest. */
const MAX_USERS = 500;
const MAX_MESSAGES = 500;

/** Messages sent before this second have been collected for long enough. */
const dueBefore = ({ clock, mail }: Pick<Chat, 'clock' | 'mail'>): number =>
  Math.floor((clock.now().getTime() - mail.settings.missedMailMs) / 1000);

/** Finds users whose missed messages are to be mailed. */
export const findDueMail = (chat: Pick<Chat, 'clock' | 'mail'>, db: Database): readonly Query[] =>
  chat.mail.mailer.mode === 'off' ? [] : [missed.findDue(db, dueBefore(chat), MAX_USERS)];

/** Takes all of the user's missed messages, even those not yet due, which would otherwise need another mail. */
export async function gatherMissed(chat: Storage & Pick<Chat, 'mail'>, userId: UserId, address: string): Promise<void> {
  const which = { before: dueBefore(chat), limit: MAX_MESSAGES };
  await chat.transaction(async (tx) => {
    const taken = await missed.take(tx.db, userId, which);
    if (!taken) return;
    missedMessages.at(realmTenant(taken.realmId), address).send(tx, { userId, ...taken });
  });
}

export async function mailMissedMessages(
  kernel: Keyspace & Pick<Kernel, 'mysql'>,
  { realmId, userId, messageIds }: MissedBy,
): Promise<Ending> {
  const [user] = await people.anywhere(kernel.mysql, [userId]);
  if (!user) return dropped('The user is gone');
  const active = await lastActive(kernel, realmId, [userId]);
  const sent = await messages.byIds(kernel.mysql, realmId, messageIds);
  const mailed = await stillMailedTo(kernel.mysql, userId, sent);
  const unseen = mailed.filter(({ sentAt }) => !hasSeen(sentAt, active.get(userId)));
  const unread = await unreadAmong(kernel.mysql, userId, unseen);
  if (unread.length === 0) return dropped('The messages were seen, deleted or are not wanted by mail');
  const conversations = groupBy(unread, ({ recipientId, topicId }) => `${recipientId}/${topicId}`);
  return done({
    async write(tx) {
      for (const group of conversations.values()) {
        const about = { kind: 'missed-messages' as const, userId, messageIds: group.map(({ id }) => id) };
        await postMail(tx, { realmId, recipient: user.email, about });
      }
    },
  });
}
