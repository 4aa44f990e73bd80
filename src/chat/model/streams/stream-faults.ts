/** Faults about streams and subscriptions, with the messages that Zulip's clients know. */
import { badRequest, coded, plain } from '../faults';
import { lengthOf } from '../text-length';
import { NAME_LENGTH } from './stream';

export const invalidPostPolicy = () => badRequest('Invalid stream_post_policy');
export const invalidStreamId = () => badRequest('Invalid stream id');
export const invalidStreamName = (name: string) => badRequest(`Invalid stream name '${name}'`);
export const streamNameTooLong = () => badRequest(`Stream name too long (limit: ${NAME_LENGTH} characters).`);
export const streamNameTaken = (name: string) => badRequest(`Stream name '${name}' is already taken.`);
export const sameStreamName = () => plain('Stream already has that name!');

export const mayNotCreateStreams = () => badRequest('User cannot create streams.');
export const mayNotCreateSuchStreams = () => badRequest('User cannot create a stream with these settings.');
export const streamNotAccessible = (name: string) => plain(`Unable to access stream (${name}).`);
export const onlyAdminsSubscribeOthers = () => plain("Only administrators can modify other users' subscriptions.");
export const tooNewToSubscribeOthers = () => plain("Your account is too new to modify other users' subscriptions.");
export const notOnBehalfOf = (principal: string | number) =>
  coded('forbidden', 'UNAUTHORIZED_PRINCIPAL', `User not authorized to execute queries on behalf of '${principal}'`, {
    principal,
  });
export const needsAdministrativeRights = () => plain('This action requires administrative rights');
export const nothingToSubscribe = () => plain('Nothing to do. Specify at least one of "add" or "delete".');

export const notArchived = () => plain('Channel is not currently deactivated');
export const archivedWithoutSubscribers = () => plain('Channel is private and have no subscribers');

export const unknownProperty = (property: string) => plain(`Unknown subscription property: ${property}`);
export const notSubscribed = (streamId: number) => plain(`Not subscribed to stream id ${streamId}`);

export const topicAlreadyMuted = () => plain('Topic already muted');
export const topicNotMuted = () => plain('Topic is not muted');

export const queryNotAuthorized = () => badRequest('User not authorized for this query');
export const privateDefault = () => plain('Private streams cannot be made default.');

/** Checks a name, and returns it as stored. */
export function checkStreamName(written: string): string {
  const name = written.trim();
  if (name === '') throw invalidStreamName(name);
  if (lengthOf(name) > NAME_LENGTH) throw streamNameTooLong();
  if (name.includes('\0'))
    throw badRequest(`Stream name '${name.replaceAll('\0', '')}' contains NULL (0x00) characters.`);
  return name;
}
