/** The second factor of users who sign in with a browser, and whether an organisation requires it. */
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import {
  beginTwoFactor,
  changeSignInRules,
  confirmTwoFactor,
  removeOwnTwoFactor,
  removeTwoFactor,
} from '../../commands/accounts/two-factor';
import { DONE } from '../../model/answers/envelope';
import { recoveryCodesAnswer, signInRulesAnswer, twoFactorSecretAnswer } from '../../model/answers/sessions';
import { CHAT_COOKIE } from '../../model/accounts/session';
import type { User } from '../../model/users/user';
import { isFactorRequired } from '../../queries/accounts/get-two-factor';
import { getUserForAdmin } from '../../queries/users/users';
import { forPeople, LACKING_FACTOR, NEEDS_FACTOR, SESSIONS_ONLY } from '../wire-format';
import { accountKey, type LoginLimits } from './login-limits';
import {
  secondFactorIsOn,
  secondFactorMissing,
  secondFactorNotBegun,
  sessionsOnly,
  wrongConfirmation,
  wrongProof,
} from '../../model/accounts/two-factor';
import { adminsOnly, notForBots, ownersOnly } from '../../model/users/user-faults';
import { ensureMayManage } from '../../model/users/user-policy';
import { noSuchUser } from '../../model/faults';

const { get, post, patch, del } = routesFor<User>();
const admits = [LACKING_FACTOR, SESSIONS_ONLY];

export const twoFactorRoutes = (limits: LoginLimits) => [
  post('/two-factor', {
    summary: 'Get a secret for your authenticator app; a code from it turns the second factor on',
    answer: twoFactorSecretAnswer,
    refuses: [secondFactorIsOn(), sessionsOnly(), notForBots()],
    admits,
    run: forPeople(({ kernel, by }) => beginTwoFactor(kernel, by)),
  }),
  post('/two-factor/confirm', {
    summary: 'Turn your second factor on and get recovery codes; ends your other sessions',
    answer: recoveryCodesAnswer,
    refuses: [wrongConfirmation(), secondFactorIsOn(), secondFactorNotBegun(), sessionsOnly(), notForBots()],
    admits,
    params: { code: text },
    run: forPeople(async ({ kernel, by, params, incoming }) => {
      await limits.codes.count(accountKey(by.realmId, by.email));
      const keptSession = sessionTokenOf(CHAT_COOKIE, incoming);
      return { recovery_codes: await confirmTwoFactor(kernel, by, { code: params.code, keptSession }) };
    }),
  }),
  del('/two-factor', {
    summary: 'Turn your second factor off, with your password or a code',
    answer: DONE,
    refuses: [wrongProof(), notForBots()],
    params: { password: text.default(''), code: text.default('') },
    run: forPeople(async ({ kernel, by, params, incoming }) => {
      const account = accountKey(by.realmId, by.email);
      await (params.code === '' ? limits.countPassword(incoming, account) : limits.codes.count(account));
      await removeOwnTwoFactor(kernel, by, { ...params, from: incoming.ip });
    }),
  }),
  del('/users/:user_id/two-factor', {
    summary: "Turn a user's second factor off; administrators only",
    answer: DONE,
    refuses: [adminsOnly(), ownersOnly(), noSuchUser(), secondFactorMissing()],
    admits: [NEEDS_FACTOR],
    params: { user_id: integer },
    async run({ kernel, by, params }) {
      const user = await getUserForAdmin(kernel.mysql, by, params.user_id);
      ensureMayManage(by, user);
      await removeTwoFactor(kernel.transaction, user);
    },
  }),
  get('/sign-in-rules', {
    summary: 'Get the sign-in requirements of your organisation; administrators only',
    answer: signInRulesAnswer,
    refuses: [adminsOnly()],
    run: async ({ kernel, by }) => ({ two_factor_required: await isFactorRequired(kernel.mysql, by) }),
  }),
  patch('/sign-in-rules', {
    summary: 'Change the sign-in requirements of your organisation; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), secondFactorMissing()],
    admits: [NEEDS_FACTOR],
    params: { two_factor_required: flag },
    run: ({ kernel, by, params }) => changeSignInRules(kernel.transaction, by, params.two_factor_required),
  }),
];
