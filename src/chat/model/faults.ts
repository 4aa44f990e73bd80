/** All of chat's faults, with the messages that Zulip's clients know. */
import { Fault } from '../../kernel/fault';

/** Zulip clients expect this realm in the challenge. */
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Basic realm="zulip"' } };

export const notLoggedIn = () =>
  new Fault('unauthenticated', 'Not logged in: API authentication or user session required', CHALLENGE);
export const badAuthorizationHeader = () =>
  new Fault('unauthenticated', 'Invalid authorization header for basic auth', CHALLENGE);
export const basicRequired = () => new Fault('invalid', 'This endpoint requires HTTP basic authentication.');
export const malformedKey = () => new Fault('unauthenticated', 'Malformed API key', CHALLENGE);
export const invalidKey = () => new Fault('unauthenticated', 'Invalid API key', CHALLENGE);
export const accountDeactivated = () => new Fault('unauthenticated', 'Account is deactivated', CHALLENGE);
export const realmDeactivated = () => new Fault('unauthenticated', 'This organization has been deactivated', CHALLENGE);
const WRONG_SUBDOMAIN = 'Account is not associated with this subdomain';
export const wrongSubdomain = () => new Fault('unauthenticated', WRONG_SUBDOMAIN, CHALLENGE);
export const notForWebhookBots = () =>
  new Fault('unauthenticated', 'This API is not available to incoming webhook bots.', CHALLENGE);

export const missingArgument = (name: string) =>
  new Fault('invalid', `Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', fields: { var_name: name } });
export const badArgument = (name: string, value: string) =>
  new Fault('invalid', `Bad value for '${name}': ${value}`, {
    code: 'REQUEST_VARIABLE_INVALID',
    fields: { var_name: name, bad_value: value },
  });
export const badRequest = (message: string) => new Fault('invalid', message, { code: 'BAD_REQUEST' });

export const wrongWebhookSubdomain = () => badRequest(WRONG_SUBDOMAIN);
export const invalidSubdomain = () => new Fault('invalid', 'Invalid subdomain', { code: 'NONEXISTENT_SUBDOMAIN' });

export const notADevelopmentServer = () => new Fault('invalid', 'Dev environment not enabled.');
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

export const emailTaken = (email: string) => new Fault('conflict', `Email '${email}' already in use`);
export const organisationFull = (most: number) =>
  new Fault('conflict', `Your organization may have at most ${most} people; those who run the server set that limit`);
export const noSuchUser = () => badRequest('No such user');
export const noSuchRealm = () => badRequest('There is no such organization');
export const realmExists = () =>
  new Fault('conflict', 'This server has its organization already; another one needs a subdomain');
export const unnamedRealm = () =>
  new Fault(
    'conflict',
    'The organization of this server has no subdomain yet: it needs one before there can be another',
  );
export const subdomainNeeded = () =>
  new Fault('conflict', 'Where there are several organizations each has a subdomain');
export const badSubdomain = () =>
  new Fault(
    'invalid',
    'A subdomain is 1 to 40 small letters, digits and hyphens, no hyphen at its ends, and not "www"',
  );
export const badHostName = (host: string) => new Fault('invalid', `"${host.slice(0, 100)}" is not a host name`);
export const addressTaken = () => new Fault('conflict', 'Another organization has this subdomain or host');

/** Some clients insert the name as HTML. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
export const noSuchStream = (name: string) =>
  new Fault('invalid', `Stream '${escaped(name)}' does not exist`, {
    code: 'STREAM_DOES_NOT_EXIST',
    fields: { stream: name },
  });
export const noSuchStreamId = (id: number) =>
  new Fault('invalid', `Stream with ID '${id}' does not exist`, {
    code: 'STREAM_DOES_NOT_EXIST',
    fields: { stream_id: id },
  });
export const notAuthorizedToSend = (name: string) => badRequest(`Not authorized to send to stream '${escaped(name)}'`);

export const confusingArguments = (one: string, other: string) =>
  new Fault('invalid', `Can't decide between '${one}' and '${other}' arguments`, {
    code: 'REQUEST_CONFUSING_VAR',
    fields: { var_name1: one, var_name2: other },
  });

export const badQueue = (id: string) =>
  new Fault('invalid', `Bad event queue id: ${id}`, { code: 'BAD_EVENT_QUEUE_ID', fields: { queue_id: id } });
export const notYourEvents = () => badRequest('You are not authorized to get events from this queue');
export const redeliveredTooOften = (seconds: number) =>
  new Fault('too-many', 'These events were sent before: acknowledge them, or ask for them less often', {
    fields: { 'retry-after': seconds },
    headers: { 'Retry-After': String(Math.ceil(seconds)) },
  });
export const notYourQueue = () => new Fault('invalid', 'You are not authorized to access this queue');

export const malformedJson = () => new Fault('invalid', 'Malformed JSON', { code: 'INVALID_JSON' });
export const noSuchIntegration = (name: string) =>
  new Fault('missing', `There is no integration named '${name.slice(0, 60)}'`, { code: 'UNKNOWN_INTEGRATION' });
export const tooMuchWaiting = (most: number) =>
  new Fault('too-many', `More than ${most} deliveries are waiting for this bot; try again later`, {
    code: 'BACKLOG_FULL',
    headers: { 'Retry-After': '30' },
  });
/** Unlike a client's key, a webhook's key is refused with a code and without a challenge. */
export const invalidWebhookKey = () => new Fault('unauthenticated', 'Invalid API key', { code: 'INVALID_API_KEY' });
/** The same message whatever is wrong, so that guessing reveals nothing. */
export const invalidSignature = () => new Fault('unauthenticated', 'Invalid signature', { code: 'INVALID_SIGNATURE' });
