/** The pages behind an invitation: they create the account, and sign the new person in. */
import { media } from '../../../kernel/http/answers';
import type { Incoming } from '../../../kernel/http/incoming';
import { type Download, Outgoing } from '../../../kernel/http/outgoing';
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { secondsOf } from '../../../kernel/sessions/page-session';
import { otherOrigin } from '../../../kernel/sessions/page-faults';
import { checkOrigin } from '../../../kernel/web-pages/page-requests';
import { openFirstSession } from '../../commands/accounts/sessions';
import { DONE } from '../../model/answers/envelope';
import { invalidLink, mailIsOff, tooManyInvitations } from '../../model/accounts/invitation';
import { sessionCookies } from '../../model/accounts/session';
import { invalidSubdomain, notAnEmail, passwordsDisabled } from '../../model/faults';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';
import type { UserId } from '../../model/users/user';
import { nameTooShort, passwordTooWeak } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { getRealm, getRealmId } from '../../queries/organisation/find-realm';
import type { ChatSettings } from '../../settings';
import { form, isAboutFields, page, pageFor, paragraph, withForm, type PageLooks } from './html-page';
import type { LinkActions } from './link-actions';

export type JoinParts = Storage & Pick<Chat, 'mail' | 'realms'>;

const { get, post } = openRoutes;
const PAGE = media('text/html');
const secretText = text.meta({ type: 'string', writeOnly: true });
/** Where the chat lets a new person choose streams. */
const FIRST_PAGE = '/welcome';

export function joinPages(chat: JoinParts, settings: ChatSettings, actions: LinkActions) {
  async function joinPage(incoming: Incoming, looks: PageLooks, token: string): Promise<Download> {
    const { email } = await actions.invitation(incoming, token);
    const { name } = await getRealm(chat, incoming.host);
    if (email === null)
      return page(
        looks,
        looks.say('page.joinOf', { name }),
        form(looks, ['email'], looks.say('page.requestInvitation')),
      );
    return page(
      looks,
      looks.say('page.joinOf', { name }),
      paragraph(looks.say('page.joinAs', { email })) + joinForm(looks),
    );
  }

  /** Only this server's own form signs in: another site's must not put its visitors into an account of its choice. */
  async function signedIn(incoming: Incoming, id: number): Promise<Outgoing> {
    const { isSecure, ip: address } = incoming;
    const realmId = await getRealmId(chat.realms, incoming.host);
    const token = await openFirstSession(
      chat,
      { realmId, userId: id as UserId },
      { agent: incoming.header('user-agent'), address },
    );
    const cookies = sessionCookies(chat.secrets, token, { isSecure, seconds: secondsOf(settings.sessionDays) });
    return new Outgoing({}, { status: 303, headers: { Location: FIRST_PAGE, 'Set-Cookie': cookies } });
  }

  return [
    get('/:invitation_token', {
      summary: 'Show an invitation as a page with a form',
      answer: PAGE,
      refuses: [invalidLink(), invalidSubdomain()],
      run: ({ params: { invitation_token: token }, incoming }) =>
        pageFor(chat, incoming, (looks) => joinPage(incoming, looks, token)),
    }),
    post('/:invitation_token', {
      summary: 'Submit the form of an invitation: name and password, or the email address for a reusable link',
      answer: { 200: PAGE, 303: DONE },
      refuses: [
        invalidLink(),
        invalidSubdomain(),
        mailIsOff(),
        otherOrigin(),
        tooManyInvitations(500),
        addressNotAllowed('ada@example.org'),
        aliasNotAllowed(),
        passwordTooWeak(),
        passwordsDisabled(),
        notAnEmail(),
        nameTooShort(),
      ],
      params: {
        email: text.optional(),
        full_name: text.default(''),
        password: secretText.default(''),
      },
      run: ({ params: { invitation_token: token, email, full_name: fullName, password }, incoming }) =>
        pageFor(chat, incoming, async (looks) => {
          checkOrigin(incoming);
          if (email !== undefined) {
            await actions.requestInvitation(incoming, { token, email });
            return page(looks, looks.say('page.lookAtMail'), paragraph(looks.say('page.sent')));
          }
          try {
            const { user_id: id } = await actions.join(incoming, { token, fullName, password });
            return await signedIn(incoming, id);
          } catch (error) {
            if (!isAboutFields(error)) throw error;
            const { name } = await getRealm(chat, incoming.host);
            throw withForm(error, { title: looks.say('page.joinOf', { name }), body: joinForm(looks, fullName) });
          }
        }),
    }),
  ];
}

const joinForm = (looks: PageLooks, fullName = ''): string =>
  form(looks, ['fullName', 'password'], looks.say('page.join'), { fullName });
