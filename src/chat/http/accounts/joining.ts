/** Requesting mail with links, and using those links, without being logged in. */
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import { DONE } from '../../model/answers/envelope';
import { joinedAnswer } from '../../model/answers/invitations';
import type { LinkActions } from '../mail/link-actions';
import { invalidLink, mailIsOff, tooManyInvitations } from '../../model/accounts/invitation';
import { nameTooShort, passwordTooWeak } from '../../model/users/user-faults';
import { disguisedEmail, emailTaken, invalidSubdomain, notAnEmail, passwordsDisabled } from '../../model/faults';
import { addressNotAllowed, aliasNotAllowed } from '../../model/organisation/organisation-faults';

const { post } = openRoutes;

const secretText = text.meta({ type: 'string', writeOnly: true });

export const joiningRoutes = (actions: LinkActions) => [
  post('/join', {
    summary: 'Accept an invitation: create an account with a name and a password',
    answer: joinedAnswer,
    refuses: [
      invalidLink(),
      invalidSubdomain(),
      addressNotAllowed('ada@example.org'),
      aliasNotAllowed(),
      passwordTooWeak(),
      passwordsDisabled(),
      nameTooShort(),
      disguisedEmail(),
      emailTaken('ada@example.com'),
    ],
    params: { token: secretText, full_name: text, password: secretText },
    run: ({ params: { token, full_name: fullName, password }, incoming }) =>
      actions.join(incoming, { token, fullName, password }),
  }),
  post('/join/request', {
    summary: 'Request an invitation by email through a reusable link; the response does not depend on the address',
    answer: DONE,
    refuses: [
      invalidLink(),
      invalidSubdomain(),
      mailIsOff(),
      tooManyInvitations(500),
      addressNotAllowed('ada@example.org'),
      aliasNotAllowed(),
      disguisedEmail(),
      notAnEmail(),
    ],
    params: { token: secretText, email: text },
    run: ({ params, incoming }) => actions.requestInvitation(incoming, params),
  }),
  post('/password_reset', {
    summary: 'Request a password reset link by email; the response does not depend on the address',
    answer: DONE,
    refuses: [invalidSubdomain(), mailIsOff(), notAnEmail(), passwordsDisabled()],
    params: { email: text },
    run: ({ params, incoming }) => actions.requestPassword(incoming, params.email),
  }),
  post('/password_reset/use', {
    summary: 'Set a new password with the token of a password reset link',
    answer: DONE,
    refuses: [invalidLink(), invalidSubdomain(), passwordTooWeak(), passwordsDisabled()],
    params: { token: secretText, password: secretText },
    run: ({ params, incoming }) => actions.setPassword(incoming, params),
  }),
];
