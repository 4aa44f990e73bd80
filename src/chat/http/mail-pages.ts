/** The pages behind the links in mail, until clients bring their own, and the page with the mail of a development server. */
import { ensure } from '../../kernel/fault';
import type { Dialect } from '../../kernel/http/dialect';
import { media } from '../../kernel/http/answers';
import { text } from '../../kernel/http/params';
import { openRoutes } from '../../kernel/http/route';
import type { Mount } from '../../kernel/product';
import { notADevelopmentServer } from '../model/faults';
import { escapeText } from '../model/markdown/html';
import type { User } from '../model/user';
import type { Chat } from '../parts';
import { getRealmId } from '../queries/find-realm';
import { listShownMails } from '../queries/list-shown-mails';
import { form, page, pageDialect, paragraph, type Field } from './html-page';
import type { LinkActions } from './link-actions';

const { get, post } = openRoutes;
const PAGE = media('text/html');
const secretText = text.meta({ type: 'string', writeOnly: true });

const NAME: Field = { name: 'full_name', label: 'Your name', type: 'text', autocomplete: 'name' };
const PASSWORD: Field = { name: 'password', label: 'A new password', type: 'password', autocomplete: 'new-password' };
const EMAIL: Field = { name: 'email', label: 'Your address of mail', type: 'email', autocomplete: 'email' };

const SENT = 'If this address can be used here, a mail with a link is on its way to it.';

export function mailMounts(chat: Chat, dialect: Dialect<User>, actions: LinkActions): readonly Mount[] {
  const pages = pageDialect(dialect);
  return [
    { prefix: '/join', dialect: pages, routes: joinPages(actions) },
    { prefix: '/password_reset', dialect: pages, routes: passwordPages(actions) },
    { prefix: '/unsubscribe', dialect: pages, routes: unsubscribePages(actions) },
    { prefix: '/development', dialect: pages, routes: [shownMailPage(chat)] },
  ];
}

const joinPages = (actions: LinkActions) => [
  get('/:invitation_token', {
    summary: 'See an invitation, as a page with a form',
    answer: PAGE,
    params: { invitation_token: text },
    async run({ params: { invitation_token: token }, incoming }) {
      const { email } = await actions.invitation(incoming, token);
      return email === null
        ? page('Join', form([EMAIL], 'Send me an invitation'))
        : page(`Join as ${email}`, form([NAME, PASSWORD], 'Join'));
    },
  }),
  post('/:invitation_token', {
    summary: 'Send the form of an invitation: name and password, or the address for a link that can be used again',
    answer: PAGE,
    params: {
      invitation_token: text,
      email: text.optional(),
      full_name: text.default(''),
      password: secretText.default(''),
    },
    async run({ params: { invitation_token: token, email, full_name: fullName, password }, incoming }) {
      if (email !== undefined) {
        await actions.requestInvitation(incoming, { token, email });
        return page('Look at your mail', paragraph(SENT));
      }
      const joined = await actions.join(incoming, { token, fullName, password });
      return page('Welcome', paragraph(`You can log in as ${joined.email} now, with the password that you chose.`));
    },
  }),
];

const passwordPages = (actions: LinkActions) => [
  get('/', {
    summary: 'Ask for a new password, as a page with a form',
    answer: PAGE,
    run: () => Promise.resolve(page('Get a new password', form([EMAIL], 'Send me a link'))),
  }),
  post('/', {
    summary: 'Send the form that asks for a new password; the answer is the same for every address',
    answer: PAGE,
    params: { email: text },
    async run({ params: { email }, incoming }) {
      await actions.requestPassword(incoming, email);
      return page('Look at your mail', paragraph(SENT));
    },
  }),
  get('/:password_token', {
    summary: 'Choose a new password, as a page with a form',
    answer: PAGE,
    params: { password_token: text },
    async run({ params: { password_token: token }, incoming }) {
      const { email } = await actions.userOfPasswordLink(incoming, token);
      return page(`A new password for ${email}`, form([PASSWORD], 'Set the password'));
    },
  }),
  post('/:password_token', {
    summary: 'Send the form with a new password',
    answer: PAGE,
    params: { password_token: text, password: secretText },
    async run({ params: { password_token: token, password }, incoming }) {
      await actions.setPassword(incoming, { token, password });
      return page('The password is set', paragraph('You can log in with it now.'));
    },
  }),
];

const unsubscribePages = (actions: LinkActions) => [
  // Programs that look at links before their readers do must not unsubscribe anybody: that takes a POST.
  get('/:unsubscribe_token', {
    summary: 'See whose mail about missed messages a link ends, as a page with a form',
    answer: PAGE,
    params: { unsubscribe_token: text },
    async run({ params: { unsubscribe_token: token }, incoming }) {
      const { email } = await actions.userOfUnsubscribeLink(incoming, token);
      return page(`No more mail about missed messages to ${email}`, form([], 'Unsubscribe'));
    },
  }),
  post('/:unsubscribe_token', {
    summary: 'Get no more mail about missed messages, by the form or by one click in a mail program (RFC 8058)',
    answer: PAGE,
    params: { unsubscribe_token: text },
    async run({ params: { unsubscribe_token: token }, incoming }) {
      await actions.unsubscribe(incoming, token);
      return page('Unsubscribed', paragraph('You get no more mail about missed messages.'));
    },
  }),
];

const shownMailPage = (chat: Chat) =>
  get('/emails', {
    summary: 'See the newest mail that was not sent; development servers only',
    answer: PAGE,
    async run({ incoming }) {
      ensure(chat.mail.mailer.mode === 'shown', notADevelopmentServer());
      const mails = await listShownMails(chat, await getRealmId(chat, incoming.host));
      const items = mails.map(
        ({ recipient, text: said, at }) =>
          `<h2>${escapeText(recipient)}, ${at}</h2>\n<pre>${linked(escapeText(said))}</pre>`,
      );
      return page('Mail that was not sent', items.join('\n') || paragraph('There is none yet.'));
    },
  });

/** In text that is escaped already. */
const linked = (said: string): string =>
  said.replaceAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:()]/g, (address) => `<a href="${address}">${address}</a>`);
