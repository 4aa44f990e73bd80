/** A person's own scheduled messages and reminders. */
import type { Database } from '../../../kernel/mysql/pool';
import { wireReminderOf, wireScheduled } from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import * as scheduled from '../../store/scheduled/scheduled-messages';

export const listScheduled = async (db: Database, by: User) => ({
  scheduled_messages: (await scheduled.messages(db, by.id)).map(wireScheduled),
});

export const listReminders = async (db: Database, by: User) => ({
  reminders: (await scheduled.reminders(db, by.id)).map(wireReminderOf),
});
