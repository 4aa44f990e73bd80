/** Plain pages with forms, for people without a client. They need no script and no cookie. */
import { MARK_PATH, STYLE_PATH } from '../../../kernel/api-docs/page';
import { Fault } from '../../../kernel/fault';
import { statusOf, type WireFormat } from '../../../kernel/http/wire-format';
import type { Incoming } from '../../../kernel/http/incoming';
import { Download, type Outgoing } from '../../../kernel/http/outgoing';
import { escapeText, escapeValue } from '../../model/markdown/html';
import { invalidLink } from '../../model/accounts/invitation';
import { notAnEmail, passwordsDisabled } from '../../model/faults';
import { chatWords, type ChatWords } from '../../model/texts/chat-words';
import { realmPictureUrl } from '../../model/uploads/realm-picture';
import { nameTooShort, passwordTooWeak } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { findRealmWithUrl } from '../../queries/organisation/find-realm';

const HTML = 'text/html; charset=utf-8';

/** Forms may only post to this server. Nothing but the stylesheet, its font and a picture may be loaded, nothing may be framed. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The texts in the reader's language, and the organisation's picture. */
export interface PageLooks extends ChatWords {
  readonly picture: string;
}

const written = (looks: PageLooks, title: string, body: string): string =>
  `<!doctype html>\n<html lang="${looks.language}">\n<head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width">` +
  `<title>${escapeText(title)}</title><link rel="icon" href="${MARK_PATH}"><link rel="stylesheet" href="${STYLE_PATH}"></head>\n` +
  `<body>\n<main class="card">\n<img src="${escapeValue(looks.picture)}" alt="" width="48" height="48">\n<h1>${escapeText(title)}</h1>\n${body}\n` +
  `<p><a href="/">${escapeText(looks.say('page.back'))}</a></p>\n</main>\n</body>\n</html>\n`;

export const page = (looks: PageLooks, title: string, body: string): Download =>
  new Download(written(looks, title, body), HTML);

/** The product's mark stands for an organisation without a picture of its own. */
async function pictureAt(chat: Pick<Chat, 'mysql' | 'realms'>, host: string): Promise<string> {
  const at = await findRealmWithUrl(chat, host).catch(() => undefined);
  return at?.realm.pictures.icon.isUploaded ? realmPictureUrl(at.realm, 'icon') : MARK_PATH;
}

/** Renders a page in the browser's language, and translates refusals too. */
export async function pageFor<Page extends Download | Outgoing>(
  chat: Pick<Chat, 'mysql' | 'realms'>,
  incoming: Incoming,
  write: (looks: PageLooks) => Promise<Page>,
): Promise<Page> {
  const picture = await pictureAt(chat, incoming.host);
  const looks = { ...chatWords(incoming.header('accept-language')), picture };
  try {
    return await write(looks);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { kind, message, code, headers, fields } = error;
    const translated = REFUSALS.get(message);
    throw new Fault(kind, translated ? looks.say(translated) : message, {
      ...(code === undefined ? {} : { code }),
      headers,
      fields: { ...(AGAIN in fields ? { [AGAIN]: fields[AGAIN] } : {}), language: looks.language, picture },
      cause: error,
    });
  }
}

export const paragraph = (text: string): string => `<p>${escapeText(text)}</p>`;

/** The API's messages that pages translate. */
const REFUSALS = new Map([
  [invalidLink().message, 'page.refusal.link'],
  [passwordTooWeak().message, 'page.refusal.weak'],
  [nameTooShort().message, 'page.refusal.name'],
  [notAnEmail().message, 'page.refusal.email'],
  [passwordsDisabled().message, 'page.refusal.passwords'],
] as const);

/** By the texts that label them. `autocomplete` is for browsers and password managers. */
const FIELDS = {
  fullName: { name: 'full_name', type: 'text', autocomplete: 'name' },
  password: { name: 'password', type: 'password', autocomplete: 'new-password' },
  email: { name: 'email', type: 'email', autocomplete: 'email' },
} as const;

type Field = keyof typeof FIELDS;

/** A form that posts to its own page, with these values in it. */
export const form = (
  looks: ChatWords,
  fields: readonly Field[],
  button: string,
  values: Partial<Record<Field, string>> = {},
): string =>
  [
    '<form class="form" method="post">',
    ...fields.map((field) => {
      const { name, type, autocomplete } = FIELDS[field];
      const value = values[field] ? ` value="${escapeValue(values[field])}"` : '';
      const input = `<input type="${type}" name="${name}" autocomplete="${autocomplete}"${value} required>`;
      return `<p><label>${escapeText(looks.say(`page.${field}`))} ${input}</label></p>`;
    }),
    `<button>${escapeText(button)}</button>`,
    '</form>',
  ].join('\n');

const AGAIN = 'again';

/** The person can mend it in the form, unlike a link that leads nowhere. */
export const isAboutFields = (error: unknown): error is Fault =>
  error instanceof Fault && error.kind === 'invalid' && error.code !== invalidLink().code;

interface Again {
  readonly title: string;
  readonly body: string;
}

/** A refusal whose page is that of the form again, to mend what was wrong. */
export const withForm = ({ kind, message, code }: Fault, again: Again): Fault =>
  new Fault(kind, message, { ...(code === undefined ? {} : { code }), fields: { [AGAIN]: again } });

/** The product's wire format, with HTML pages for refusals. */
export const pageWireFormat = <By>(wireFormat: WireFormat<By>): WireFormat<By> => ({
  ...wireFormat,
  headers: {
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': POLICY,
    // With `no-referrer`, a browser names no origin when it posts the form.
    'Referrer-Policy': 'same-origin',
  },
  failureType: HTML,
  failure: (fault) => {
    const { [AGAIN]: again, picture } = fault.fields;
    const { language } = fault.fields;
    const looks = {
      ...chatWords(typeof language === 'string' ? language : ''),
      picture: typeof picture === 'string' ? picture : MARK_PATH,
    };
    const retry = `<p><a href="">${escapeText(looks.say('page.retry'))}</a></p>`;
    const { title, body: rest } = (again as Again | undefined) ?? { title: looks.say('page.failed'), body: retry };
    const body = written(looks, title, `<p role="alert">${escapeText(fault.message)}</p>\n${rest}`);
    return { status: statusOf(fault), type: HTML, body };
  },
});
