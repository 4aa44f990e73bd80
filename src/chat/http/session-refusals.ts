/** What the endpoints for pages may refuse, and what every endpoint may refuse to a page. */
import type { Fault } from '../../kernel/fault';
import {
  invalidSubdomain,
  missingArgument,
  notADevelopmentServer,
  passwordsDisabled,
  realmDisabled,
  userDisabled,
} from '../model/faults';
import { badCredentials, noSuchSession, otherOrigin, pageTokenRequired, sessionEnded } from '../model/session-faults';

/** Of a request with the cookie of a session. */
export const PAGE_REFUSALS: readonly Fault[] = [sessionEnded(), pageTokenRequired(), otherOrigin()];

export const SESSION_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'get /session': [otherOrigin(), invalidSubdomain()],
  'post /session': [
    badCredentials(),
    passwordsDisabled(),
    userDisabled(),
    realmDisabled(),
    otherOrigin(),
    invalidSubdomain(),
    missingArgument('email'),
    notADevelopmentServer(),
  ],
  'delete /sessions/:session_id': [noSuchSession()],
};
