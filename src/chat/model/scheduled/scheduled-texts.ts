/** What the notification bot writes about scheduled messages and reminders, in the reader's language. */
import type { ChatWords } from '../texts/chat-words';
import { reasonText } from './failure-reasons';

export interface ReminderParts {
  readonly note: string;
  readonly sender: { readonly id: number; readonly fullName: string };
  readonly isPrivate: boolean;
  /** To the message itself. */
  readonly link: string;
  /** The stream and topic, or the recipients; empty if somebody wrote to themselves. */
  readonly place: string;
}

const withNote = (text: string, label: string, note: string): string =>
  note.trim() === '' ? text : `${text} ${label}\n\n> ${note.replaceAll('\n', '\n> ')}`;

export function reminderText({ say }: ChatWords, { note, sender, isPrivate, link, place }: ReminderParts): string {
  const asked = say(isPrivate ? 'bot.reminder.direct' : 'bot.reminder.message');
  const facts = { by: `@_**${sender.fullName}|${sender.id}**`, link, place };
  const where = isPrivate ? 'bot.reminder.saidTo' : 'bot.reminder.saidIn';
  const said = say(place === '' ? 'bot.reminder.said' : where, facts);
  return `${withNote(asked, say('bot.reminder.note'), note)}\n\n${said}`;
}

export const lostReminder = ({ say }: ChatWords, note: string): string =>
  withNote(say('bot.reminder.lost'), say('bot.reminder.note'), note);

export function failureText(words: ChatWords, dueAt: number, error: string): string {
  const time = `<time:${new Date(dueAt * 1000).toISOString()}>`;
  return words.say('bot.scheduled.failed', { time, error: reasonText(words, error) });
}
