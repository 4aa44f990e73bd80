/** Somebody who runs the server. */
import { Fault } from '../../kernel/fault';

/** `read` may look at everything and change nothing. */
export type Access = 'read' | 'full';

export interface Operator {
  readonly name: string;
  readonly access: Access;
}

export const operatorNameTaken = (name: string) =>
  new Fault('conflict', `There is an operator named "${name}" already`);
export const noSuchOperator = (name: string) => new Fault('missing', `There is no operator named "${name}"`);
