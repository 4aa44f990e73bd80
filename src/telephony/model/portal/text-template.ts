/** A text that a company's users send repeatedly. */
import { Fault } from '../../../kernel/fault';

export interface TextTemplate {
  readonly id: string;
  readonly text: string;
}

/** More than anybody finds in a menu. */
export const MAX_TEMPLATES = 100;

export const noTemplate = () => new Fault('missing', 'There is no such template of your company');
export const templateKnown = () => new Fault('invalid', 'text: is a template already');
export const tooManyTemplates = () =>
  new Fault('invalid', `A company has at most ${MAX_TEMPLATES} templates; delete one first`);
