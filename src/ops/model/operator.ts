/** A person who runs the server, and their session in a browser. */
import { Fault } from '../../kernel/fault';
import { secondsOf, sessionCookie } from '../../kernel/sessions/page-session';

/** `read` may see everything and change nothing. */
export type Access = 'read' | 'full';

export interface Operator {
  readonly name: string;
  readonly access: Access;
}

/** Whether anybody may sign in as any operator with one click. */
export const isForDevelopment = (settings: {
  readonly nodeEnv: string;
  readonly authMethods: readonly string[];
}): boolean => settings.nodeEnv !== 'production' && settings.authMethods.includes('dev');

export const operatorNameTaken = (name: string) =>
  new Fault('conflict', `There is an operator named "${name}" already`);
export const notYourself = () => new Fault('conflict', 'Another operator has to do that for you');
export const noSuchOperator = (name: string) => new Fault('missing', `There is no operator named "${name}"`);

/** A working day: a console left open overnight must sign in again. */
export const IDLE_HOURS = 12;
/** The maximum age, even if the session is in use. */
export const MAX_DAYS = 7;
export const MAX_SECONDS = secondsOf(MAX_DAYS);

export const OPERATOR_COOKIE = sessionCookie('partyline_operator');
