/** What is done for people later than their request: welcoming new ones, and ending statuses. */
import type { Realm, RealmId } from '../organisation/realm';
import type { UserId } from './user';

export interface Newcomer {
  readonly realmId: RealmId;
  readonly userId: UserId;
}

export interface EndingStatus {
  readonly realmId: RealmId;
  readonly userId: UserId;
  /** Seconds. A status that has another end by then is left alone. */
  readonly endsAt: number;
}

const WELCOMES = {
  en: (realm: string) =>
    `Welcome to ${realm}!\n\n` +
    '* Messages are in streams, and each stream has topics. You are in some streams already: find more at **Streams**.\n' +
    '* Write to one person or to a few with **New private message**.\n' +
    '* Give yourself a picture at **Settings**, so that others recognise you.\n\n' +
    'I am a bot: I write when something concerns you, and I cannot answer.',
  de: (realm: string) =>
    `Willkommen bei ${realm}!\n\n` +
    '* Nachrichten stehen in Streams, und jeder Stream hat Themen. In einigen Streams sind Sie schon: Weitere finden Sie unter **Streams**.\n' +
    '* Schreiben Sie einer Person oder mehreren mit **Neue private Nachricht**.\n' +
    '* Geben Sie sich unter **Einstellungen** ein Bild, damit andere Sie erkennen.\n\n' +
    'Ich bin ein Bot: Ich schreibe, wenn etwas Sie betrifft, und kann nicht antworten.',
};

/** The organisation's own words, or ours in its language. */
export function welcomeText({ name, settings }: Realm): string {
  const own = settings.welcome_message_custom_text;
  if (own.trim() !== '') return own;
  return WELCOMES[settings.default_language.startsWith('de') ? 'de' : 'en'](name);
}
