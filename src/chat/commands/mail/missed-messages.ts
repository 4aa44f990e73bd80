/** Records messages that absent users received privately or with a mention, and mails them after a collecting period. */
import { groupBy } from '../../../kernel/group';
import type { Storage, Kernel } from '../../../kernel/kernel';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { Database } from '../../../kernel/mysql/pool';
import type { Query } from '../../../kernel/mysql/read-together';
import type { Keyspace } from '../../../kernel/redis/connections';
import { missedMessages } from '../../actors/mailboxes';
import { hasSeen, type MissedBy, OLDEST_MISSED_SECONDS, wantsMail } from '../../model/mail/missed-messages';
import { type RealmId, realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import { unreadAmong } from '../../queries/reading/unread-messages';
import { lastActive } from '../../queries/users/list-presences';
import * as missed from '../../store/mail/missed-messages';
import * as messages from '../../store/messages/messages';
import * as people from '../../store/users/people';
import * as settings from '../../store/users/user-settings';
import { postMail } from './post-mail';

type Parts = Storage & Keyspace & Pick<Kernel, 'lifecycle'>;

/** Number of message ids per scan. */
const WINDOW = 200;

/** Limit of one sweep. After an outage, the next sweeps catch up. */
const MAX_WINDOWS = 50;

async function noteMissedMessages(kernel: Parts, realmId: RealmId): Promise<void> {
  for (let windows = 0; windows < MAX_WINDOWS && !kernel.lifecycle.draining.aborted; windows += 1) {
    const { head, notedId } = await missed.backlogOf(kernel.mysql, realmId);
    if (notedId !== undefined && notedId >= head) return;
    // An organisation scanned for the first time starts with its newest messages.
    const reached = notedId ?? Math.max(0, head - WINDOW);
    const next = await missed.nextId(kernel.mysql, realmId, reached);
    const to = next === undefined ? head : Math.min(next - 1 + WINDOW, head);
    const away = await whoIsAway(kernel, { realmId, from: reached + 1, to });
    await kernel.transaction(async ({ db }) => {
      // Another worker may have scanned this window. The cursor keeps messages from being recorded twice.
      if (await missed.moveCursor(db, realmId, notedId, to)) await missed.insert(db, away);
    });
  }
}

async function whoIsAway(kernel: Storage & Keyspace, range: Omit<missed.Range, 'since'>): Promise<missed.Missed[]> {
  const since = Math.floor(kernel.clock.now().getTime() / 1000) - OLDEST_MISSED_SECONDS;
  const found = await missed.candidates(kernel.mysql, { ...range, since });
  const wanted = found.filter(({ settings }) => wantsMail(settings));
  if (wanted.length === 0) return [];
  const people = [...groupBy(wanted, ({ userId }) => userId).keys()];
  const active = await lastActive(kernel, range.realmId, people);
  return wanted.filter(({ sentAt, userId }) => !hasSeen(sentAt, active.get(userId)));
}

/** Limits of one turn. The next turn takes the rest. */
const MAX_USERS = 500;
const MAX_MESSAGES = 500;

/** Messages sent before this second have been collected for long enough. */
const dueBefore = ({ clock, mail }: Pick<Chat, 'clock' | 'mail'>): number =>
  Math.floor((clock.now().getTime() - mail.settings.missedMailMs) / 1000);

/** Finds organisations with messages not yet scanned, and users whose missed messages are to be mailed. */
export const findMissed = (chat: Pick<Chat, 'clock' | 'mail'>, db: Database): readonly Query[] =>
  chat.mail.mailer.mode === 'off' ? [] : [missed.findBehind(db), missed.findDue(db, dueBefore(chat), MAX_USERS)];

/** Scans an organisation, or takes what a user missed, one mail per conversation. */
export async function fillMissed(chat: Parts & Pick<Chat, 'mail'>, address: string): Promise<void> {
  const { REALM, USER } = missed;
  if (address.startsWith(REALM)) await noteMissedMessages(chat, Number(address.slice(REALM.length)) as RealmId);
  else await gatherMissed(chat, Number(address.slice(USER.length)) as UserId, address);
}

/** Takes all of the user's missed messages, even those not yet due, which would otherwise need another mail. */
async function gatherMissed(chat: Storage & Pick<Chat, 'mail'>, userId: UserId, address: string): Promise<void> {
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
  if (!wantsMail(await settings.ofUser(kernel.mysql, userId))) return dropped('The user wants no such mail');
  const active = await lastActive(kernel, realmId, [userId]);
  const sent = await messages.byIds(kernel.mysql, realmId, messageIds);
  const unseen = sent.filter(({ sentAt }) => !hasSeen(sentAt, active.get(userId)));
  const unread = await unreadAmong(kernel.mysql, userId, unseen);
  if (unread.length === 0) return dropped('The messages were seen or deleted');
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
