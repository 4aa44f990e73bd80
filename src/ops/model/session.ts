/** An operator's session in a browser. */
import { secondsOf, sessionCookie } from '../../kernel/page-session';

/** A working day: who leaves a console open overnight signs in again. */
export const IDLE_HOURS = 12;
/** However much it is used. */
export const LONGEST_DAYS = 7;
export const LONGEST_SECONDS = secondsOf(LONGEST_DAYS);

export const OPERATOR_COOKIE = sessionCookie('partyline_operator');
