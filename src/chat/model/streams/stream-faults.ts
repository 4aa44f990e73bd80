/** Faults about streams and subscriptions, with the messages that Zulip's clients know. */
import { Fault } from '../../../kernel/fault';
import { badRequest } from '../faults';
import { lengthOf, NAME_LENGTH } from './stream';

export const invalidStreamId = () => badRequest('Invalid stream id');
export const invalidStreamName = (name: string) => badRequest(`Invalid stream name '${name}'`);
export const streamNameTooLong = () => badRequest(`Stream name too long (limit: ${NAME_LENGTH} characters).`);
export const streamNameHasNull = (name: string) =>
  badRequest(`Stream name '${name.replaceAll('\0', '')}' contains NULL (0x00) characters.`);
export const streamNameTaken = (name: string) => badRequest(`Stream name '${name}' is already taken.`);
export const sameStreamName = () => new Fault('invalid', 'Stream already has that name!');

export const mayNotCreateStreams = () => badRequest('User cannot create streams.');
export const mayNotCreateSuchStreams = () => badRequest('User cannot create a stream with these settings.');
export const streamNotAccessible = (name: string) => new Fault('invalid', `Unable to access stream (${name}).`);
export const onlyAdminsSubscribeOthers = () =>
  new Fault('invalid', "Only administrators can modify other users' subscriptions.");
export const tooNewToSubscribeOthers = () =>
  new Fault('invalid', "Your account is too new to modify other users' subscriptions.");
export const notOnBehalfOf = (principal: string | number) =>
  new Fault('forbidden', `User not authorized to execute queries on behalf of '${principal}'`, {
    code: 'UNAUTHORIZED_PRINCIPAL',
    fields: { principal },
  });
export const needsAdministrativeRights = () => new Fault('invalid', 'This action requires administrative rights');
export const nothingToSubscribe = () =>
  new Fault('invalid', 'Nothing to do. Specify at least one of "add" or "delete".');

export const unknownProperty = (property: string) => new Fault('invalid', `Unknown subscription property: ${property}`);
export const notSubscribed = (streamId: number) => new Fault('invalid', `Not subscribed to stream id ${streamId}`);

export const topicAlreadyMuted = () => new Fault('invalid', 'Topic already muted');
export const topicNotMuted = () => new Fault('invalid', 'Topic is not muted');

export const queryNotAuthorized = () => badRequest('User not authorized for this query');
export const privateDefault = () => new Fault('invalid', 'Private streams cannot be made default.');

/** Checks a name, and returns it as stored. */
export function checkStreamName(written: string): string {
  const name = written.trim();
  if (name === '') throw invalidStreamName(name);
  if (lengthOf(name) > NAME_LENGTH) throw streamNameTooLong();
  if (name.includes('\0')) throw streamNameHasNull(name);
  return name;
}
