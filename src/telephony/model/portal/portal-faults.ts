/** Refusals of the portal, in addition to those of every page. */
import { Fault } from '../../../kernel/fault';
import type { KeyRights } from '../companies/key';

const RIGHTS: Readonly<Record<KeyRights, string>> = {
  write: 'may be used for everything',
  read: 'may only be used to read',
  texting: 'may only be used for texts, faxes, files and statuses',
};

export const keyMayNot = (rights: KeyRights) => new Fault('forbidden', `This API key ${RIGHTS[rights]}`);
/** Without a challenge, because the browser would open its own login dialog. */
export const wrongKey = () =>
  new Fault('unauthenticated', 'key: is not an API key of a company', { code: 'BAD_CREDENTIALS' });
export const keyMayNotEnter = () =>
  new Fault('forbidden', 'key: only a key that may be used for everything opens the portal');
export const noKey = () => new Fault('missing', 'There is no such API key of your company');
export const tooManyKeys = (most: number) =>
  new Fault('invalid', `A company has at most ${most} API keys; delete one first`);
export const noSuchSession = () => new Fault('missing', 'There is no such session of yours');
export const linkUsed = () =>
  new Fault('invalid', 'This link was used already, or is too old; ask for another', { code: 'LINK_USED' });
export const mailIsOff = () => new Fault('invalid', 'This server sends no mail');
export const notADevelopmentServer = () => new Fault('invalid', 'demo: this is not a development server');
export const nothingShown = () =>
  new Fault('invalid', 'One of these is required: email and password, key, link, or demo');
export const passwordTooWeak = () => new Fault('invalid', 'new_password: is too easy to guess');
export const passwordTooLong = (most: number) =>
  new Fault('invalid', `new_password: must have at most ${most} characters`);
export const notByKey = () =>
  new Fault('forbidden', 'Who signed in with an API key cannot choose a password; sign in by a link first');
export const wrongOldPassword = () => new Fault('invalid', 'old_password: is not your password');

/** More than anybody finds in a menu. */
export const MAX_TEMPLATES = 100;

export const noTemplate = () => new Fault('missing', 'There is no such template of your company');
export const templateKnown = () => new Fault('invalid', 'text: is a template already');
export const tooManyTemplates = () =>
  new Fault('invalid', `A company has at most ${MAX_TEMPLATES} templates; delete one first`);

/** Session faults that pages tell apart by the problem's type. */
const FOR_PAGES: ReadonlySet<string> = new Set([
  'SESSION_ENDED',
  'BAD_CREDENTIALS',
  'TOKEN_REQUIRED',
  'OTHER_ORIGIN',
  'LINK_USED',
]);

export const problemTypeOf = ({ code = '' }: Fault): string => (FOR_PAGES.has(code) ? code : 'about:blank');
