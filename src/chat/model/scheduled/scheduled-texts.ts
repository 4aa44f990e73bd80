/** What the notification bot writes about scheduled messages and reminders, in the organisation's language. */

export interface ReminderParts {
  readonly note: string;
  readonly sender: { readonly id: number; readonly fullName: string };
  readonly isPrivate: boolean;
  /** To the message itself. */
  readonly link: string;
  /** The stream and topic, or the recipients; empty if somebody wrote to themselves. */
  readonly place: string;
}

interface Texts {
  readonly asked: (isPrivate: boolean) => string;
  readonly lost: string;
  readonly note: string;
  readonly said: (by: string, link: string, to: string) => string;
  readonly failed: (time: string, error: string) => string;
}

const TEXTS: Readonly<Record<'en' | 'de', Texts>> = {
  en: {
    asked: (isPrivate) => `You requested a reminder for the following ${isPrivate ? 'direct ' : ''}message.`,
    lost: 'You requested a reminder for a message that was deleted, or that you can no longer see.',
    note: 'Note:',
    said: (by, link, to) => `${by} [said](${link})${to && ` ${to}`}:`,
    failed: (time, error) =>
      `The message you scheduled for ${time} was not sent because of the following error:\n\n> ${error}\n\n` +
      '[View scheduled messages](/#scheduled)',
  },
  de: {
    asked: (isPrivate) => `Sie wollten an diese ${isPrivate ? 'Direktnachricht' : 'Nachricht'} erinnert werden.`,
    lost: 'Sie wollten an eine Nachricht erinnert werden, die es nicht mehr gibt oder die Sie nicht mehr sehen dürfen.',
    note: 'Notiz:',
    said: (by, link, to) => `${by} [schrieb](${link})${to && ` ${to}`}:`,
    failed: (time, error) =>
      `Ihre Nachricht, die ${time} verschickt werden sollte, wurde wegen dieses Fehlers nicht verschickt:\n\n> ${error}\n\n` +
      '[Geplante Nachrichten ansehen](/#scheduled)',
  },
};

const TO = { en: { stream: 'in', people: 'to' }, de: { stream: 'in', people: 'an' } } as const;

const languageOf = (language: string): 'en' | 'de' => (language.startsWith('de') ? 'de' : 'en');

const withNote = (text: string, label: string, note: string): string =>
  note.trim() === '' ? text : `${text} ${label}\n\n> ${note.replaceAll('\n', '\n> ')}`;

export function reminderText(language: string, { note, sender, isPrivate, link, place }: ReminderParts): string {
  const lang = languageOf(language);
  const texts = TEXTS[lang];
  const to = place === '' ? '' : `${TO[lang][isPrivate ? 'people' : 'stream']} ${place}`;
  const by = `@_**${sender.fullName}|${sender.id}**`;
  return `${withNote(texts.asked(isPrivate), texts.note, note)}\n\n${texts.said(by, link, to)}`;
}

export function lostReminder(language: string, note: string): string {
  const texts = TEXTS[languageOf(language)];
  return withNote(texts.lost, texts.note, note);
}

export const failureText = (language: string, dueAt: number, error: string): string =>
  TEXTS[languageOf(language)].failed(`<time:${new Date(dueAt * 1000).toISOString()}>`, error);
