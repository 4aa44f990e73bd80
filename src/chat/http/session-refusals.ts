/** What the endpoints for pages may refuse, and what every endpoint may refuse to a page. */
import type { Fault } from '../../kernel/fault';
import { badCredentials, otherOrigin, pageTokenRequired, sessionEnded } from '../../kernel/page-faults';
import {
  invalidSubdomain,
  missingArgument,
  noSuchUser,
  notADevelopmentServer,
  passwordsDisabled,
  realmDisabled,
  userDisabled,
} from '../model/faults';
import { badProvider, noSuchProvider } from '../model/openid';
import { noSuchSession } from '../model/session-faults';
import * as two from '../model/two-factor';
import { adminsOnly, notForBots } from '../model/user-faults';

/** Of a request with the cookie of a session. */
export const PAGE_REFUSALS: readonly Fault[] = [
  sessionEnded(),
  pageTokenRequired(),
  otherOrigin(),
  two.secondFactorMissing(),
];

/** Of a sign-in with a password. */
export const CODE_REFUSALS: readonly Fault[] = [two.codeRequired(), two.badCode()];

export const SESSION_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'get /session': [otherOrigin(), invalidSubdomain()],
  'post /session': [
    badCredentials(),
    ...CODE_REFUSALS,
    passwordsDisabled(),
    userDisabled(),
    realmDisabled(),
    otherOrigin(),
    invalidSubdomain(),
    missingArgument('email'),
    notADevelopmentServer(),
  ],
  'delete /sessions/:session_id': [noSuchSession()],
  'post /two-factor': [two.secondFactorIsOn(), notForBots()],
  'post /two-factor/confirm': [
    two.wrongConfirmation(),
    two.secondFactorIsOn(),
    two.secondFactorNotBegun(),
    notForBots(),
  ],
  'delete /two-factor': [two.wrongProof(), notForBots()],
  'delete /users/:user_id/two-factor': [adminsOnly(), noSuchUser()],
  'get /sign-in-rules': [adminsOnly()],
  'patch /sign-in-rules': [adminsOnly()],
  'get /openid-providers': [adminsOnly()],
  'put /openid-providers/:provider': [adminsOnly(), badProvider('issuer is an https address without query')],
  'delete /openid-providers/:provider': [adminsOnly(), noSuchProvider()],
};
