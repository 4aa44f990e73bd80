/** Faults about users, bots and their settings, with the messages that Zulip's clients know. */
import { Fault } from '../../../kernel/fault';
import { badRequest, coded, plain } from '../faults';

export const adminsOnly = () => coded('invalid', 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
export const ownersOnly = () => coded('invalid', 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
export const notForGuests = () => badRequest('Not allowed for guest users');
export const notForBots = () => plain('This endpoint does not accept bot requests.');
export const insufficientPermission = () => badRequest('Insufficient permission');
/** To whom the organisation does not leave it, by the number of its policy. */
export const againstPolicy = (policy: number) => (policy === 2 ? adminsOnly() : insufficientPermission());

export const noSuchBot = () => badRequest('No such bot');
export const userIsDeactivated = () => badRequest('User is deactivated');
export const nameTooShort = () => badRequest('Name too short!');
export const nameTooLong = () => badRequest('Name too long!');
export const nameInUse = () => badRequest('Name is already in use!');
export const badNameOrUsername = () => plain('Bad name or username');
export const usernameTaken = () => plain('Username already in use');
export const lastAdminStays = () => plain('Cannot remove the only organization administrator');
export const invalidRole = () => badRequest('Invalid role');
export const lastOwnerStays = () =>
  badRequest('The owner permission cannot be removed from the only organization owner.');
export const lastOwnerLives = () => badRequest('Cannot deactivate the only organization owner');
export const lastAdminLives = () => plain('Cannot deactivate the only organization administrator');
export const guestsAreNoAdmins = () => plain('Guests cannot be organization administrators');
export const invalidUserId = (id: number) => badRequest(`Invalid user ID: ${id}`);

export const botTypeInvalid = () => badRequest('Invalid bot type');
export const onlyWebhookBots = () => badRequest('Only an incoming webhook bot receives signed deliveries');
export const botTypeUnsupported = () =>
  badRequest('This server has no embedded bots: create a generic (1), incoming (2) or outgoing webhook (3) bot');
export const onlyOutgoingBots = () => badRequest('Only an outgoing webhook bot has a payload URL');
export const badNewOwner = (why: string) => plain(`Failed to change owner, ${why}`);

export const fillAllFields = () => plain('Please fill out all fields.');
export const wrongOldPassword = () => plain('Wrong password!');
export const passwordTooWeak = () => plain('New password is too weak!');
export const passwordTooLong = (most: number) => plain(`New password is longer than ${most} characters!`);
export const emailChangesDisabled = () => plain('Email address changes are disabled in this organization.');

export const unknownHotspot = (name: string) => plain(`Unknown hotspot: ${name.slice(0, 100)}`);

export const fieldNotFound = (id: number) => plain(`Field id ${id} not found.`);
export const fieldNameTaken = () => plain('A field with that label already exists.');
export const groupNameTaken = (name: string) => badRequest(`User group '${name}' already exists.`);
export const reservedGroupName = (prefix: string) => badRequest(`User group name cannot start with '${prefix}'.`);
export const noSuchGroup = () => badRequest('Invalid user group');
export const noSuchSubgroup = (id: number) => badRequest(`Invalid user group ID: ${id}`);
export const alreadySubgroup = (id: number) => badRequest(`User group ${id} is already a subgroup of this group.`);
export const notASubgroup = (id: number) => badRequest(`User group ${id} is not a subgroup of this group.`);
export const groupWithinItself = (id: number) =>
  badRequest(`User group ${id} is already a subgroup of one of the passed subgroups.`);
export const tooLong = (what: string, limit: number) => badRequest(`${what} is too long (limit: ${limit} characters)`);
export const nothingToDo = () => plain('Nothing to do. Specify at least one of "add" or "delete".');
export const invalidMessageId = () => badRequest('Invalid message ID');

export const invalidStatus = (status: string) => badRequest(`Invalid status: ${status}`);
export const noPresenceOfBots = () => plain('Presence is not supported for bot users.');
export const noPresence = (email: string) => plain(`No presence data for ${email}`);
export const missingTypingRecipient = () => badRequest("Missing parameter: 'to' (recipient)");
/** Who has turned it off should not be asked by their own client. */
export const typingDisabled = (where: 'direct' | 'channel') =>
  badRequest(`User has disabled typing notifications for ${where} messages`);
export const TYPING_DISABLED = [typingDisabled('direct'), typingDisabled('channel')];
export const invalidTypingOp = () => badRequest("Invalid 'op' value (should be start or stop)");

export const noFile = () => plain('You must specify a file to upload');
export const oneFileOnly = () => plain('You may only upload one file at a time');
export const exactlyOneFile = () => plain('You must upload exactly one file.');
export const fileTooLarge = (megabytes: number) =>
  plain(`Uploaded file is larger than the allowed limit of ${megabytes} MB`);
export const notAnImage = () => coded('invalid', 'BAD_IMAGE', 'Could not decode image; did you upload an image file?');
export const imageTooLarge = () => coded('invalid', 'BAD_IMAGE', 'Image size exceeds limit.');
export const exactlyOne = (what: 'avatar' | 'icon' | 'logo') => plain(`You must upload exactly one ${what}.`);
export const avatarChangesDisabled = () => plain('Avatar changes are disabled in this organization.');
export const emojiNameInvalid = () => badRequest('Invalid characters in emoji name');
export const emojiNameTaken = () => badRequest('A custom emoji with this name already exists.');
export const noSuchEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist`);
export const notYourEmoji = () => badRequest('Must be an organization administrator or emoji author');
export const badLinkifier = (message: string) => plain(message);
export const noSuchLinkifier = () => plain('Filter not found');
export const noSuchFile = () => new Fault('missing', 'File not found.');
export const invalidThumbnailSize = () => new Fault('forbidden', 'Invalid size.');
export const unsignedAddress = () => new Fault('forbidden', 'Not a valid URL.');
export const noSuchAttachment = () => badRequest('Invalid attachment');
export const invalidToken = () => badRequest('Empty or invalid length token');
export const unknownToken = () => badRequest('Token does not exist');
export const noSuchKey = () => plain('Key does not exist.');
export const storageTooLarge = (by: number, limit: number) =>
  plain(`Request exceeds storage limit by ${by} characters. The limit is ${limit} characters.`);
