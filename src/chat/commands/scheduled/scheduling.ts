/** What scheduled messages and reminders have in common: how many there may be, their mail, and their events. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import { DUE_NOW } from '../../../kernel/mailbox/mailbox';
import type { Storage } from '../../../kernel/kernel';
import type { Tx } from '../../../kernel/mysql/transaction';
import { scheduledMail } from '../../actors/mailboxes';
import { type ChatEvent, eventDelivery } from '../../model/events/event';
import { realmTenant } from '../../model/organisation/realm';
import {
  MAX_SCHEDULED,
  MAX_SCHEDULED_BYTES,
  type ScheduledMessage,
  tooManyReminders,
  tooManyScheduled,
  wireReminderOf,
} from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import * as scheduled from '../../store/scheduled/scheduled-messages';
import * as users from '../../store/users/users';

/** Calls `write` unless an earlier request of the same name has scheduled it. Returns its id. */
export const scheduleOnce = (
  { transaction }: Pick<Storage, 'transaction'>,
  by: User,
  request: string | undefined,
  write: (tx: Tx) => Promise<number>,
): Promise<number> =>
  transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    return (await scheduled.idOfRequest(tx.db, by.id, request)) ?? write(tx);
  });

export async function checkSize(tx: Tx, by: User, ofReminders: boolean): Promise<void> {
  const { count, bytes } = await scheduled.sizeOf(tx.db, by.id, ofReminders);
  const isWithin = count <= MAX_SCHEDULED && bytes <= MAX_SCHEDULED_BYTES;
  ensure(isWithin, ofReminders ? tooManyReminders() : tooManyScheduled());
}

const addressOf = ({ id, realmId }: Pick<ScheduledMessage, 'id' | 'realmId'>) =>
  [realmTenant(realmId), String(id)] as const;

export function sendAtItsTime({ clock }: { readonly clock: Clock }, tx: Tx, message: ScheduledMessage): void {
  const afterMs = Math.max(0, message.dueAt * 1000 - clock.now().getTime());
  const mail = { scheduledId: message.id, revision: message.revision };
  scheduledMail.at(...addressOf(message), afterMs).send(tx, mail);
}

/** Mail for an earlier revision would wait for years, perhaps. It comes at once, and changes nothing. */
export const forgetMail = (tx: Tx, message: Pick<ScheduledMessage, 'id' | 'realmId'>): void =>
  scheduledMail.at(...addressOf(message)).send(tx, DUE_NOW);

export const publish = (tx: Tx, { id, realmId }: Pick<User, 'id' | 'realmId'>, event: ChatEvent): void =>
  tx.deliver(eventDelivery(realmId, [id], event));

/** Clients of Zulip know that reminders come and go, and nothing else of them. */
export function publishAnew(tx: Tx, reminder: ScheduledMessage): void {
  const owner = { id: reminder.userId, realmId: reminder.realmId };
  publish(tx, owner, { type: 'reminders', op: 'remove', reminder_id: reminder.id });
  publish(tx, owner, { type: 'reminders', op: 'add', reminders: [wireReminderOf(reminder)] });
}
