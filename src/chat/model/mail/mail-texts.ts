/** The letters that the chat sends. Names come from users, so each is reduced to one line. */
import {
  button,
  linked,
  paragraph,
  type Part,
  quoted,
  smallLink,
  smallPrint,
  type Written,
  written,
} from '../../../kernel/mail/written';
import { nearTopic } from '../markdown/links/stream-links';
import type { ChatWords } from '../texts/chat-words';
import type { BusyTopic } from './digest';
import { clockOf } from './moments';

const MAX_NAME_LENGTH = 100;
const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_NAME_LENGTH).join('');
};

const letter = ({ language }: ChatWords, subject: string, ...parts: readonly Part[]): Written =>
  written({ language, subject, parts });

/** A date that is unambiguous in every country. */
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export interface Organisation {
  readonly name: string;
  readonly url: string;
}

/** With the name on one line, as texts take it. */
const named = ({ name, url }: Organisation) => ({ name: oneLine(name), url });

export interface InvitationFacts {
  readonly organisation: Organisation;
  readonly inviter: { readonly fullName: string; readonly email: string };
  readonly link: string;
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
}

function untilWhen({ say }: ChatWords, end: Date | null): Part {
  const until = end === null ? say('mail.link.once') : say('mail.link.until', { day: dayOf(end) });
  return smallPrint(`${until} ${say('mail.ignore')}`);
}

export function invitationText(words: ChatWords, { organisation, inviter, link, expiresAt }: InvitationFacts): Written {
  const { say } = words;
  const values = { ...named(organisation), by: oneLine(inviter.fullName), email: inviter.email };
  return letter(
    words,
    say('mail.invitation.subject', values),
    paragraph(say('mail.invitation.said', values)),
    paragraph(say('mail.invitation.open')),
    button(say('mail.invitation.button', values), link),
    untilWhen(words, expiresAt),
  );
}

export function confirmationText(
  words: ChatWords,
  { organisation, link, expiresAt }: Omit<InvitationFacts, 'inviter'>,
): Written {
  const { say } = words;
  const values = named(organisation);
  return letter(
    words,
    say('mail.confirm.subject', values),
    paragraph(say('mail.confirm.said', values)),
    paragraph(say('mail.confirm.open')),
    button(say('mail.confirm.button', values), link),
    untilWhen(words, expiresAt),
  );
}

export function hasAccountText(words: ChatWords, organisation: Organisation): Written {
  const { say } = words;
  const values = named(organisation);
  return letter(
    words,
    say('mail.hasAccount.subject', values),
    paragraph(say('mail.hasAccount.said', values)),
    paragraph(say('mail.hasAccount.open', values)),
    smallPrint(say('mail.ignore')),
  );
}

export interface ResetFacts {
  readonly organisation: Organisation;
  readonly link: string;
  readonly minutes: number;
}

export function passwordResetText(words: ChatWords, { organisation, link, minutes }: ResetFacts): Written {
  const { say } = words;
  const values = named(organisation);
  return letter(
    words,
    say('mail.reset.subject', values),
    paragraph(say('mail.reset.said', values)),
    paragraph(say('mail.reset.open')),
    button(say('mail.reset.button'), link),
    smallPrint(say('mail.reset.until', { minutes })),
  );
}

export interface EmailChangeFacts {
  readonly organisation: Organisation;
  readonly link: string;
  readonly from: string;
}

export function emailChangeText(words: ChatWords, { organisation, link, from }: EmailChangeFacts): Written {
  const { say } = words;
  const values = { ...named(organisation), from };
  return letter(
    words,
    say('mail.change.subject', values),
    paragraph(say('mail.change.said', values)),
    button(say('mail.change.button'), link),
    smallPrint(`${say('mail.change.until')} ${say('mail.ignore')}`),
  );
}

export function emailChangedText(words: ChatWords, organisation: Organisation): Written {
  const { say } = words;
  const values = named(organisation);
  return letter(
    words,
    say('mail.changed.subject', values),
    paragraph(say('mail.changed.said', values)),
    paragraph(say('mail.changed.notYou')),
  );
}

export interface MissedFacts {
  readonly organisation: Organisation;
  /** The conversation: users, or a stream and its topic. */
  readonly place:
    | { readonly people: readonly string[] }
    | { readonly stream: string; readonly topic: string; readonly isMention: boolean };
  /** Oldest first. What is said is null if it must not be mailed. */
  readonly messages: readonly { readonly sender: string; readonly said: Part | null; readonly sentAt: Date }[];
  /** How many further messages there are. */
  readonly more: number;
  /** To the conversation. */
  readonly link: string;
  readonly unsubscribe: string;
  /** The recipient's; empty if unknown. */
  readonly timezone: string;
}

export function missedMessagesText(words: ChatWords, facts: MissedFacts): Written {
  const { say } = words;
  const { organisation, place, messages, more } = facts;
  const values = named(organisation);
  const where =
    'people' in place
      ? say('mail.missed.people', { people: place.people.map(oneLine).join(', ') })
      : say(place.isMention ? 'mail.missed.mention' : 'mail.missed.topic', {
          stream: oneLine(place.stream),
          topic: oneLine(place.topic),
        });
  const timeOf = clockOf(words, facts.timezone);
  return letter(
    words,
    say('mail.missed.subject', { where, ...values }),
    ...messages.map(({ sender, said, sentAt }) =>
      quoted(`${oneLine(sender)}, ${timeOf(sentAt)}:`, said ?? paragraph(say('mail.missed.hidden'))),
    ),
    ...(more === 0 ? [] : [paragraph(say('mail.missed.more', { count: more }))]),
    { ...button(say('mail.missed.button'), facts.link), text: `${say('mail.missed.open')} ${facts.link}` },
    smallLink(say('mail.missed.why'), say('mail.unsubscribe'), facts.unsubscribe),
  );
}

export interface DigestFacts {
  readonly organisation: Organisation;
  readonly topics: readonly BusyTopic[];
  readonly unsubscribe: string;
}

export function digestText(words: ChatWords, { organisation, topics, unsubscribe }: DigestFacts): Written {
  const { say, language } = words;
  const values = named(organisation);
  const list = new Intl.ListFormat(language);
  const about = ({ stream, topic, newestId, count, senders, others }: BusyTopic): Part => {
    const people = senders.map(oneLine);
    const more = others === 0 ? [] : [say('mail.digest.others', { count: others })];
    const by = list.format([...people, ...more]);
    return linked(
      `#${oneLine(stream.name)} > ${oneLine(topic)}`,
      `${organisation.url}${nearTopic(stream, topic, newestId)}`,
      say('mail.digest.topic', { messages: say('mail.digest.messages', { count }), people: by }),
    );
  };
  return letter(
    words,
    say('mail.digest.subject', values),
    paragraph(say('mail.digest.said', values)),
    ...topics.map(about),
    button(say('mail.digest.button'), organisation.url),
    smallLink(say('mail.digest.why'), say('mail.unsubscribe'), unsubscribe),
  );
}
