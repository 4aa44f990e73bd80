/** Schedules and cancels a reminder of a message, and tells the person's other clients. */
import { ensure } from '../../../kernel/fault';
import { checkContent } from '../../model/messages/draft';
import {
  checkDue,
  MAX_NOTE_LENGTH,
  noSuchReminder,
  noteTooLong,
  wireReminderOf,
} from '../../model/scheduled/scheduled-message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { renderContent } from '../../queries/messages/render-content';
import { describeReminder } from '../../queries/scheduled/describe-reminder';
import * as scheduled from '../../store/scheduled/scheduled-messages';
import { checkSize, forgetMail, publish, scheduleOnce, sendAtItsTime } from './scheduling';

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
  const content = checkContent(await describeReminder(chat, by, { messageId, note }), 'cut');
  const { html: rendered } = await renderContent(chat, by.realmId, content, by);
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

export async function cancelReminder(chat: Sending, by: User, id: number) {
  await chat.transaction(async (tx) => {
    ensure(await scheduled.removeOwn(tx.db, by.id, id, true), noSuchReminder());
    forgetMail(tx, { id, realmId: by.realmId });
    publish(tx, by, { type: 'reminders', op: 'remove', reminder_id: id });
  });
  return {};
}

function checkNote(written: string): string {
  const note = written.trimEnd().replace(/^\n+/, '');
  ensure(Array.from(note).length <= MAX_NOTE_LENGTH, noteTooLong());
  return note.replaceAll('\0', '');
}
