/** HTML pages behind the links in mail, until clients have their own, and the page with a development server's mail. */
import { ensure } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { media } from '../../../kernel/http/answers';
import type { Incoming } from '../../../kernel/http/incoming';
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import type { Mount } from '../../../kernel/product';
import { addressNotAllowed } from '../../model/organisation/organisation-faults';
import { emailTaken, invalidSubdomain, notADevelopmentServer, notAnEmail, passwordsDisabled } from '../../model/faults';
import { escapeText } from '../../model/markdown/html';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { getRealmId } from '../../queries/organisation/find-realm';
import type { ChatSettings } from '../../settings';
import { listShownMails } from '../../queries/list-shown-mails';
import { form, isAboutFields, page, pageWireFormat, pageFor, paragraph, withForm, type PageLooks } from './html-page';
import { type JoinParts, joinPages } from './join-pages';
import type { LinkActions } from './link-actions';
import { invalidLink, mailIsOff } from '../../model/accounts/invitation';
import { emailChangesDisabled, passwordTooWeak } from '../../model/users/user-faults';

type Parts = Pick<Chat, 'mail' | 'mysql' | 'namespace' | 'realms' | 'redis'>;

const { get, post } = openRoutes;
const PAGE = media('text/html');
const secretText = text.meta({ type: 'string', writeOnly: true });

export function mailMounts(
  chat: JoinParts & Parts,
  settings: ChatSettings,
  wireFormat: WireFormat<User>,
  actions: LinkActions,
): readonly Mount[] {
  const pages = pageWireFormat(wireFormat);
  return [
    { prefix: '/join', wireFormat: pages, routes: joinPages(chat, settings, actions) },
    { prefix: '/password_reset', wireFormat: pages, routes: passwordPages(chat, actions) },
    { prefix: '/confirm_email', wireFormat: pages, routes: emailPages(chat, actions) },
    { prefix: '/unsubscribe', wireFormat: pages, routes: unsubscribePages(chat, actions) },
    { prefix: '/development', wireFormat: pages, routes: [shownMailPage(chat)] },
  ];
}

const passwordPages = (chat: Parts, actions: LinkActions) => [
  get('/', {
    summary: 'Show the page that requests a password reset',
    answer: PAGE,
    run: ({ incoming }) =>
      pageFor(chat, incoming, (looks) =>
        Promise.resolve(
          page(looks, looks.say('page.newPassword'), form(looks, ['email'], looks.say('page.requestPassword'))),
        ),
      ),
  }),
  post('/', {
    summary: 'Submit the form that requests a password reset; the response does not depend on the address',
    answer: PAGE,
    refuses: [invalidSubdomain(), mailIsOff(), notAnEmail(), passwordsDisabled()],
    params: { email: text },
    run: ({ params: { email }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        await actions.requestPassword(incoming, email);
        return page(looks, looks.say('page.lookAtMail'), paragraph(looks.say('page.sent')));
      }),
  }),
  get('/:password_token', {
    summary: 'Show the page with the form for a new password',
    answer: PAGE,
    refuses: [invalidLink(), invalidSubdomain()],
    run: ({ params: { password_token: token }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        const { title, body } = await passwordForm(actions, incoming, { looks, token });
        return page(looks, title, body);
      }),
  }),
  post('/:password_token', {
    summary: 'Submit the form with a new password',
    answer: PAGE,
    refuses: [invalidLink(), invalidSubdomain(), passwordTooWeak(), passwordsDisabled()],
    params: { password: secretText },
    run: ({ params: { password_token: token, password }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        try {
          await actions.setPassword(incoming, { token, password });
          return page(looks, looks.say('page.passwordIsSet'), paragraph(looks.say('page.useIt')));
        } catch (error) {
          if (!isAboutFields(error)) throw error;
          throw withForm(error, await passwordForm(actions, incoming, { looks, token }));
        }
      }),
  }),
];

async function passwordForm(
  actions: LinkActions,
  incoming: Incoming,
  { looks, token }: { readonly looks: PageLooks; readonly token: string },
) {
  const { email } = await actions.userOfPasswordLink(incoming, token);
  return {
    title: looks.say('page.newPasswordFor', { email }),
    body: form(looks, ['password'], looks.say('page.setPassword')),
  };
}

const emailPages = (chat: Parts, actions: LinkActions) => [
  // Mail scanners open links: only POST changes the address.
  get('/:email_token', {
    summary: 'Show the page on which a user confirms a new address',
    answer: PAGE,
    refuses: [invalidLink(), invalidSubdomain()],
    run: ({ params: { email_token: token }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        const { change } = await actions.emailChange(incoming, token);
        return page(
          looks,
          looks.say('page.newEmail', { email: change.to }),
          form(looks, [], looks.say('page.confirmEmail')),
        );
      }),
  }),
  post('/:email_token', {
    summary: 'Confirm a new address with the link that was mailed to it',
    answer: PAGE,
    refuses: [
      invalidLink(),
      invalidSubdomain(),
      emailTaken('ada@example.com'),
      addressNotAllowed('ada@example.org'),
      emailChangesDisabled(),
    ],
    run: ({ params: { email_token: token }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        const email = await actions.confirmEmail(incoming, token);
        return page(looks, looks.say('page.emailIsSet'), paragraph(looks.say('page.signInAs', { email })));
      }),
  }),
];

const unsubscribePages = (chat: Parts, actions: LinkActions) => [
  // GET must not unsubscribe, because mail scanners open links. Only POST does.
  get('/:unsubscribe_token', {
    summary: 'Show the page on which a user unsubscribes from a kind of email',
    answer: PAGE,
    refuses: [invalidLink(), invalidSubdomain()],
    run: ({ params: { unsubscribe_token: token }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        const { user, kind } = await actions.unsubscriber(incoming, token);
        return page(
          looks,
          looks.say(`page.noMoreMail.${kind}`, { email: user.email }),
          form(looks, [], looks.say('page.unsubscribe')),
        );
      }),
  }),
  post('/:unsubscribe_token', {
    summary: 'Unsubscribe from a kind of email, with the form or one click in an email client (RFC 8058)',
    answer: PAGE,
    refuses: [invalidLink(), invalidSubdomain()],
    run: ({ params: { unsubscribe_token: token }, incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        const kind = await actions.unsubscribe(incoming, token);
        return page(looks, looks.say('page.unsubscribed'), paragraph(looks.say(`page.isUnsubscribed.${kind}`)));
      }),
  }),
];

const shownMailPage = (chat: Parts) =>
  get('/emails', {
    summary: 'Show the newest emails that were not sent; development servers only',
    answer: PAGE,
    refuses: [notADevelopmentServer(), invalidSubdomain()],
    run: ({ incoming }) =>
      pageFor(chat, incoming, async (looks) => {
        ensure(chat.mail.mailer.mode === 'shown', notADevelopmentServer());
        const mails = await listShownMails(chat, await getRealmId(chat.realms, incoming.host));
        const items = mails.map(
          ({ recipient, text: said, at }) =>
            `<h2>${escapeText(recipient)}, ${at}</h2>\n<pre class="mail">${linked(escapeText(said))}</pre>`,
        );
        return page(looks, looks.say('page.notSent'), items.join('\n') || paragraph(looks.say('page.noMail')));
      }),
  });

/** Expects escaped text. */
const linked = (said: string): string =>
  said.replaceAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:()]/g, (address) => `<a href="${address}">${address}</a>`);
