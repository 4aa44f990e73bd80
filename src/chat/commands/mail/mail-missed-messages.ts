/** Mails users what they missed once it was gathered for a while: one mail for each conversation. */
import { takeLeased, type TurnContext } from '../../../kernel/actor/leased-turn';
import { tenantOf } from '../../../kernel/actor/address';
import { groupBy } from '../../../kernel/group';
import { hasSeen, wantsMail } from '../../model/missed-messages';
import type { UserId } from '../../model/user';
import type { Chat } from '../../parts';
import { lastActive } from '../../queries/last-active';
import { unreadAmong } from '../../queries/unread-among';
import * as missed from '../../store/missed-messages';
import * as people from '../../store/people';
import * as settings from '../../store/user-settings';
import { noteMissedMessages } from './note-missed-messages';
import { postMail } from './post-mail';

const ADDRESS = { tenant: tenantOf('chat', 'cluster'), kind: 'missed-messages', id: '' };
/** Then others get a turn; the rest comes with the next one. */
const MOST_USERS = 500;
const MOST_MESSAGES = 500;

export async function mailMissedMessages(chat: Chat, draining: AbortSignal): Promise<void> {
  const { kernel, mail } = chat;
  if (mail.mailer.mode === 'off') return;
  await takeLeased(kernel, ADDRESS, draining, async (turn) => {
    await noteMissedMessages(chat, turn);
    const before = Math.floor((kernel.clock.now().getTime() - mail.settings.missedMailMs) / 1000);
    for (const userId of await missed.dueUsers(kernel.mysql, before, MOST_USERS)) {
      if (turn.isOver()) return;
      await mailUser(chat, turn, userId);
    }
  });
}

/** All that the user missed, also what is not due by itself: it would be the next mail. */
async function mailUser(chat: Chat, turn: TurnContext, userId: UserId): Promise<void> {
  const gathered = await missed.ofUser(chat.kernel.mysql, userId, MOST_MESSAGES);
  const [user] = await people.anywhere(chat.kernel.mysql, [userId]);
  const unseen = await stillUnseen(chat, userId, gathered);
  const conversations = groupBy(unseen, ({ recipientId, topicId }) => `${recipientId}/${topicId}`);
  await turn.commit(async (tx) => {
    await missed.remove(
      tx.db,
      userId,
      gathered.map(({ id }) => id),
    );
    if (!user) return;
    for (const messages of conversations.values()) {
      const messageIds = messages.map(({ id }) => id);
      const about = { kind: 'missed-messages' as const, userId, messageIds };
      await postMail(tx, { realmId: user.realmId, recipient: user.email, about });
    }
  });
}

async function stillUnseen(
  { kernel }: Chat,
  userId: UserId,
  gathered: readonly missed.Missed[],
): Promise<missed.Missed[]> {
  const [first] = gathered;
  if (!first || !wantsMail(await settings.ofUser(kernel.mysql, userId))) return [];
  const active = await lastActive(kernel, first.realmId, [userId]);
  const unseen = gathered.filter(({ sentAt }) => !hasSeen(sentAt, active.get(userId)));
  return unreadAmong(kernel.mysql, userId, unseen);
}
