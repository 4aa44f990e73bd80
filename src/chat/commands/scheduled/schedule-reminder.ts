/** Schedules, changes and cancels a reminder of a message, and tells the person's other clients. */
import { ensure } from '../../../kernel/fault';
import { checkContent } from '../../model/messages/draft';
import {
  checkDue,
  MAX_NOTE_LENGTH,
  noSuchReminder,
  nothingScheduled,
  notInFuture,
  noteTooLong,
  type ScheduledFields,
  type ScheduledMessage,
  wireReminderOf,
} from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { renderContent } from '../../queries/messages/render-content';
import { describeAny, describeReminder, type Reminded } from '../../queries/scheduled/describe-reminder';
import * as scheduled from '../../store/scheduled/scheduled-messages';
import * as users from '../../store/users/users';
import { checkSize, forgetMail, publish, publishAnew, scheduleOnce, sendAtItsTime } from './scheduling';

export interface WantedReminder {
  readonly messageId: number;
  readonly dueAt: number;
  readonly note: string | undefined;
  readonly client: string;
  /** Names the request, so that it can be repeated. */
  readonly request: string | undefined;
}

export async function scheduleReminder(
  chat: Sending,
  by: User,
  { messageId, dueAt, client, request, ...wanted }: WantedReminder,
) {
  const known = await scheduled.idOfRequest(chat.mysql, by.id, request);
  if (known !== undefined) return { reminder_id: known };
  checkDue(dueAt, chat.clock.now().getTime());
  const note = checkNote(wanted.note ?? '');
  const { content, rendered } = await shown(chat, by, await describeReminder(chat, by, { messageId, note }));
  const id = await scheduleOnce(chat, by, request, async (tx) => {
    const reminder = await scheduled.insert(tx.db, by, {
      type: 'private',
      to: [by.id],
      topic: '',
      content,
      rendered,
      client,
      isReadBySender: false,
      dueAt,
      reminder: { messageId, note },
      request,
    });
    await checkSize(tx, by, true);
    sendAtItsTime(chat, tx, reminder);
    publish(tx, by, { type: 'reminders', op: 'add', reminders: [wireReminderOf(reminder)] });
    return reminder.id;
  });
  return { reminder_id: id };
}

export interface ReminderChange {
  readonly dueAt?: number | undefined;
  readonly note?: string | undefined;
}

/** Repeating it changes nothing more. */
export async function editReminder(chat: Sending, by: User, id: number, change: ReminderChange) {
  const { dueAt, note } = change;
  ensure(dueAt !== undefined || note !== undefined, nothingScheduled());
  if (dueAt !== undefined) checkDue(dueAt, chat.clock.now().getTime());
  const found = await scheduled.ofUser(chat.mysql, by.id, id, true);
  if (!found) throw noSuchReminder();
  const fields = {
    ...(note === undefined ? {} : await withNote(chat, by, { ...found.reminder!, note: checkNote(note) })),
    ...(dueAt === undefined ? {} : { dueAt }),
  };
  await chat.transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    const locked = await scheduled.lock(tx.db, by.id, id, true);
    if (!locked) throw noSuchReminder();
    if (isSame(locked, fields)) return;
    // It waits for no time any more.
    ensure(locked.error === null || dueAt !== undefined, notInFuture());
    const changed = await scheduled.change(tx.db, locked, fields);
    await checkSize(tx, by, true);
    forgetMail(tx, changed);
    sendAtItsTime(chat, tx, changed);
    publishAnew(tx, changed);
  });
  return {};
}

const withNote = async (chat: Sending, by: User, reminder: Reminded) => ({
  reminder,
  ...(await shown(chat, by, await describeAny(chat, by, reminder))),
});

function isSame(
  before: ScheduledMessage,
  { dueAt = before.dueAt, reminder = before.reminder }: Partial<ScheduledFields>,
) {
  return before.error === null && before.dueAt === dueAt && before.reminder?.note === reminder?.note;
}

export async function cancelReminder(chat: Sending, by: User, id: number) {
  await chat.transaction(async (tx) => {
    ensure(await scheduled.removeOwn(tx.db, by.id, id, true), noSuchReminder());
    forgetMail(tx, { id, realmId: by.realmId });
    publish(tx, by, { type: 'reminders', op: 'remove', reminder_id: id });
  });
  return {};
}

async function shown(chat: Sending, by: User, text: string): Promise<Pick<ScheduledFields, 'content' | 'rendered'>> {
  const content = checkContent(text, 'cut');
  const { html: rendered } = await renderContent(chat, by.realmId, content, by);
  return { content, rendered };
}

function checkNote(written: string): string {
  const note = written.trimEnd().replace(/^\n+/, '');
  ensure(Array.from(note).length <= MAX_NOTE_LENGTH, noteTooLong());
  return note.replaceAll('\0', '');
}
