/** The words of notifications, in the user's language. */
interface Texts {
  readonly newMessage: string;
  readonly read: string;
  readonly reply: string;
  readonly test: string;
  readonly testBody: string;
}

const TEXTS: Readonly<Record<'en' | 'de', Texts>> = {
  en: {
    newMessage: 'New message',
    read: 'Mark as read',
    reply: 'Reply',
    test: 'Notifications work',
    testBody: 'This device is told of messages that you miss.',
  },
  de: {
    newMessage: 'Neue Nachricht',
    read: 'Als gelesen markieren',
    reply: 'Antworten',
    test: 'Benachrichtigungen kommen an',
    testBody: 'Dieses Gerät erfährt von Nachrichten, die Sie verpassen.',
  },
};

export const pushTexts = (language: string): Texts => TEXTS[language.startsWith('de') ? 'de' : 'en'];
