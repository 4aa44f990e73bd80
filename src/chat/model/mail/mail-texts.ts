/** The texts of mail. Names come from users, so each is reduced to one line. */
import type { Letter } from '../../../kernel/mail/letter';

type Words = Pick<Letter, 'subject' | 'text'>;

const MAX_NAME_LENGTH = 100;
const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_NAME_LENGTH).join('');
};

/** A date that is unambiguous in every country. */
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Paragraphs separated by empty lines. */
const paragraphs = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

export interface Organisation {
  readonly name: string;
  readonly url: string;
}

export interface InvitationFacts {
  readonly organisation: Organisation;
  readonly inviter: { readonly fullName: string; readonly email: string };
  readonly link: string;
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
}

const IGNORE = 'If you do not know why you got this mail, ignore it.';

const usableUntil = (end: Date | null): string =>
  end === null ? 'The link can be used once.' : `The link can be used once, until ${dayOf(end)} (UTC).`;

export function invitationText({ organisation, inviter, link, expiresAt }: InvitationFacts): Words {
  const [name, by] = [oneLine(organisation.name), oneLine(inviter.fullName)];
  return {
    subject: `${by} invites you to ${name}`,
    text: paragraphs(
      `${by} (${inviter.email}) invites you to join the organisation ${name} at ${organisation.url}.`,
      'To accept, open this link and choose a name and a password:',
      link,
      `${usableUntil(expiresAt)} ${IGNORE}`,
    ),
  };
}

export function confirmationText({ organisation, link, expiresAt }: Omit<InvitationFacts, 'inviter'>): Words {
  const name = oneLine(organisation.name);
  return {
    subject: `Confirm your address to join ${name}`,
    text: paragraphs(
      `Somebody, presumably you, wants to join the organisation ${name} at ${organisation.url} with this address.`,
      'To confirm it, open this link and choose a name and a password:',
      link,
      `${usableUntil(expiresAt)} ${IGNORE}`,
    ),
  };
}

export function hasAccountText({ name: written, url }: Organisation): Words {
  const name = oneLine(written);
  return {
    subject: `You have an account at ${name}`,
    text: paragraphs(
      `Somebody, presumably you, wants to join the organisation ${name} with this address, which has an account already.`,
      `Log in at ${url}. If you have forgotten the password, ask there for a new one.`,
      IGNORE,
    ),
  };
}

export function passwordResetText({ name: written, url }: Organisation, link: string, minutes: number): Words {
  const name = oneLine(written);
  return {
    subject: `Set a new password for ${name}`,
    text: paragraphs(
      `Somebody, presumably you, has asked for a new password for your account at ${name} (${url}).`,
      'To choose one, open this link.',
      link,
      `The link can be used once, within ${minutes} minutes. If it was not you who asked, ignore this mail; the old password stays.`,
    ),
  };
}

export function emailChangeText({ name: written, url }: Organisation, link: string, from: string): Words {
  const name = oneLine(written);
  return {
    subject: `Confirm your new address for ${name}`,
    text: paragraphs(
      `The account ${from} at ${name} (${url}) is to get this address. To confirm it, open this link:`,
      link,
      `The link can be used once, within 24 hours. ${IGNORE}`,
    ),
  };
}

export function emailChangedText({ name: written, url }: Organisation): Words {
  const name = oneLine(written);
  return {
    subject: `The address of your account at ${name} was changed`,
    text: paragraphs(
      `Your account at ${name} (${url}) has another address now, which was confirmed by a mail to it.`,
      'If it was not you who did this, tell an administrator of the organisation at once.',
    ),
  };
}

export interface MissedFacts {
  readonly organisation: Organisation;
  /** The conversation: users, or a stream and its topic. */
  readonly place: { readonly people: readonly string[] } | { readonly stream: string; readonly topic: string };
  /** Oldest first. The content is null if it must not be mailed. */
  readonly messages: readonly { readonly sender: string; readonly content: string | null; readonly sentAt: Date }[];
  /** How many further messages there are. */
  readonly more: number;
  readonly unsubscribe: string;
}

export function missedMessagesText(facts: MissedFacts): Words {
  const { organisation, place, messages, more } = facts;
  const name = oneLine(organisation.name);
  const where =
    'people' in place
      ? `Private messages from ${place.people.map(oneLine).join(', ')}`
      : `You were mentioned in #${oneLine(place.stream)} > ${oneLine(place.topic)}`;
  const said = messages.map(
    ({ sender, content, sentAt }) => `${oneLine(sender)}, ${timeOf(sentAt)}:\n${content === null ? HIDDEN : content}`,
  );
  return {
    subject: `${where} (${name})`,
    text: paragraphs(
      `${where}, at ${name}.`,
      ...said,
      ...(more === 0 ? [] : [`There are ${more} more.`]),
      `Read and answer at ${organisation.url}.`,
      `You get this mail because you were away. To get no more of this kind, open ${facts.unsubscribe}`,
    ),
  };
}

const HIDDEN = '(The organisation, or you, have chosen not to mail what messages say.)';
const timeOf = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
