/** An operator's session in a browser. */
import { secondsOf, sessionCookie } from '../../kernel/sessions/page-session';

/** A working day: a console left open overnight must sign in again. */
export const IDLE_HOURS = 12;
/** The maximum age, even if the session is in use. */
export const MAX_DAYS = 7;
export const MAX_SECONDS = secondsOf(MAX_DAYS);

export const OPERATOR_COOKIE = sessionCookie('partyline_operator');
