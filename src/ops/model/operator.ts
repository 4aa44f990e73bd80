/** A person who runs the server. */
import { Fault } from '../../kernel/fault';

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
export const noSuchOperator = (name: string) => new Fault('missing', `There is no operator named "${name}"`);
