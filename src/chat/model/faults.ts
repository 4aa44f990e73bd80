/** All of chat's faults, with the messages that Zulip's clients know. */
import { Fault, type FaultKind } from '../../kernel/fault';
import { escapeAsNumbers } from './markdown/html';

/** With a code for programs, and facts beside the message. */
export const coded = (kind: FaultKind, code: string, message: string, fields: Readonly<Record<string, unknown>> = {}) =>
  new Fault(kind, message, { code, fields });
export const badRequest = (message: string) => coded('invalid', 'BAD_REQUEST', message);
/** Zulip gives these no code. */
export const plain = (message: string) => new Fault('invalid', message);

/** Zulip clients expect this realm in the challenge. */
const challenged = (message: string) =>
  new Fault('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Basic realm="zulip"' } });

export const notLoggedIn = () => challenged('Not logged in: API authentication or user session required');
export const badAuthorizationHeader = () => challenged('Invalid authorization header for basic auth');
export const malformedKey = () => challenged('Malformed API key');
export const invalidKey = () => challenged('Invalid API key');
export const accountDeactivated = () => challenged('Account is deactivated');
export const realmDeactivated = () => challenged('This organization has been deactivated');
const WRONG_SUBDOMAIN = 'Account is not associated with this subdomain';
export const wrongSubdomain = () => challenged(WRONG_SUBDOMAIN);
export const notForWebhookBots = () => challenged('This API is not available to incoming webhook bots.');

export const missingArgument = (name: string) =>
  coded('invalid', 'REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
export const badArgument = (name: string, value: string) =>
  coded('invalid', 'REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, {
    var_name: name,
    bad_value: value,
  });

export const wrongWebhookSubdomain = () => badRequest(WRONG_SUBDOMAIN);
export const invalidSubdomain = () => coded('invalid', 'NONEXISTENT_SUBDOMAIN', 'Invalid subdomain');

export const notADevelopmentServer = () => plain('Dev environment not enabled.');
const loginRefused = (message: string, reason: string) => new Fault('forbidden', message, { fields: { reason } });
export const unregistered = () => loginRefused('This user is not registered.', 'unregistered');
export const userDisabled = () => loginRefused('Your account has been disabled.', 'user disable');
export const realmDisabled = () => loginRefused('This organization has been deactivated.', 'realm deactivated');
export const wrongPassword = () => loginRefused('Your username or password is incorrect.', 'incorrect_creds');
export const passwordsDisabled = () =>
  loginRefused('Password auth is disabled in your team.', 'password auth disabled');
export const notAnEmail = () => badRequest('Enter a valid email address.');
export const disguisedEmail = () =>
  badRequest('The email address has characters that are invisible or look like others. Write it in plain letters.');

const conflict = (message: string) => new Fault('conflict', message);
export const emailTaken = (email: string) => conflict(`Email '${email}' already in use`);
export const organisationFull = (most: number) =>
  conflict(`Your organization may have at most ${most} people; those who run the server set that limit`);
export const noSuchUser = () => badRequest('No such user');
export const noSuchRealm = () => badRequest('There is no such organization');
export const realmExists = () => conflict('This server has its organization already; another one needs a subdomain');
export const unnamedRealm = () =>
  conflict('The organization of this server has no subdomain yet: it needs one before there can be another');
export const subdomainNeeded = () => conflict('Where there are several organizations each has a subdomain');
export const badSubdomain = () =>
  plain('A subdomain is 1 to 40 small letters, digits and hyphens, no hyphen at its ends, and not "www"');
export const badHostName = (host: string) => plain(`"${host.slice(0, 100)}" is not a host name`);
export const addressTaken = () => conflict('Another organization has this subdomain or host');

/** Some clients insert the name as HTML. */
export const noSuchStream = (name: string) =>
  coded('invalid', 'STREAM_DOES_NOT_EXIST', `Stream '${escapeAsNumbers(name)}' does not exist`, { stream: name });
export const noSuchStreamId = (id: number) =>
  coded('invalid', 'STREAM_DOES_NOT_EXIST', `Stream with ID '${id}' does not exist`, { stream_id: id });
export const notAuthorizedToSend = (name: string) =>
  badRequest(`Not authorized to send to stream '${escapeAsNumbers(name)}'`);

export const confusingArguments = (one: string, other: string) =>
  coded('invalid', 'REQUEST_CONFUSING_VAR', `Can't decide between '${one}' and '${other}' arguments`, {
    var_name1: one,
    var_name2: other,
  });

export const badQueue = (id: string) =>
  coded('invalid', 'BAD_EVENT_QUEUE_ID', `Bad event queue id: ${id}`, { queue_id: id });
export const notYourEvents = () => badRequest('You are not authorized to get events from this queue');
export const redeliveredTooOften = (seconds: number) =>
  new Fault('too-many', 'These events were sent before: acknowledge them, or ask for them less often', {
    fields: { 'retry-after': seconds },
    headers: { 'Retry-After': String(Math.ceil(seconds)) },
  });
export const notYourQueue = () => plain('You are not authorized to access this queue');

export const malformedJson = () => coded('invalid', 'INVALID_JSON', 'Malformed JSON');
export const noSuchDraft = () => coded('missing', 'BAD_REQUEST', 'Draft does not exist');
export const noSuchIntegration = (name: string) =>
  coded('missing', 'UNKNOWN_INTEGRATION', `There is no integration named '${name.slice(0, 60)}'`);
export const tooMuchWaiting = (most: number) =>
  new Fault('too-many', `More than ${most} deliveries are waiting for this bot; try again later`, {
    code: 'BACKLOG_FULL',
    headers: { 'Retry-After': '30' },
  });
/** Unlike a client's key, a webhook's key is refused with a code and without a challenge. */
export const invalidWebhookKey = () => coded('unauthenticated', 'INVALID_API_KEY', 'Invalid API key');
/** The same message whatever is wrong, so that guessing reveals nothing. */
export const invalidSignature = () => coded('unauthenticated', 'INVALID_SIGNATURE', 'Invalid signature');
