/** All refusals of telephony, except those of texting, the portal and the socket. */
import { Fault } from '../../kernel/fault';

/** What was looked up. */
export function existing<T>(value: T | undefined, missing: () => Fault): T {
  if (value === undefined) throw missing();
  return value;
}

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="telephony"' } };

export const keyRequired = () =>
  new Fault('unauthenticated', 'The header "Authorization: Bearer <API key>" is required', CHALLENGE);
export const invalidKey = () => new Fault('unauthenticated', 'The API key is not valid', CHALLENGE);
export const userRequired = () =>
  new Fault('unauthenticated', 'The header X-User-Id must be the id of a contact, or "primary"', CHALLENGE);
export const unknownUser = () => new Fault('unauthenticated', 'X-User-Id names no contact of this company', CHALLENGE);

export const unknownEmail = () => new Fault('unauthenticated', 'user_email names no user of this company');

export const invalid = (detail: string) => new Fault('invalid', detail);
export const notOwner = () => new Fault('forbidden', 'Only the primary user of the company may do this');
export const notYours = (what: string) =>
  new Fault('forbidden', `Only the primary user, or the user concerned, may change this ${what}`);
export const unassignedIsOwners = () =>
  new Fault(
    'forbidden',
    'Only the primary user may assign or delete an extension that nobody has, or change its secrets',
  );
export const forbidden = (detail: string) => new Fault('forbidden', detail);

export const companyNameTaken = (name: string) => new Fault('conflict', `There is a company named "${name}" already`);
export const emailTaken = (email: string) =>
  new Fault('conflict', `work_email: the company has a user with the address ${email} already`);
export const companyFull = (most: number) =>
  new Fault('conflict', `The company may have at most ${most} users; those who run the server set that limit`);
export const numberTaken = (number: number) =>
  new Fault('conflict', `data.id: there is an extension ${number} on this instance already`);
export const disguisedEmail = (field: string) =>
  invalid(`${field}: must be written in plain letters, without characters that are invisible or look like others`);
export const notCompanyNumber = (field: string) =>
  new Fault('invalid', `data.${field}: is not a number of the company, and only the primary user may set another`);
export const otherCompany = () => new Fault('invalid', 'company_id: that is not the company of the API key');

export const noContact = () => new Fault('missing', 'There is no such user in this company');
export const noLocation = () => new Fault('missing', 'There is no such location in this company');
export const noInstance = () => new Fault('missing', 'There is no such PBX instance in this company');
export const noExtension = () => new Fault('missing', 'There is no such extension on this instance');
export const tellsNoPhones = () => invalid('filter_by: this PBX does not tell which phones are registered');
export const noExtensions = () => new Fault('missing', 'There are no such extensions on this instance');
export const noSuchArrangement = () => new Fault('missing', 'There is no such ring group or number on this instance');
export const noRingGroup = () => new Fault('missing', 'There is no such ring group on this instance');
export const noOutsideNumber = () => new Fault('missing', 'There is no such number on this instance');
export const groupTaken = (number: number) =>
  new Fault('conflict', `number: there is an extension or a ring group ${number} on this instance already`);
export const groupHasNumber = (number: number) =>
  new Fault('conflict', `data.id: there is a ring group ${number} on this instance already`);
export const outsideNumberTaken = (number: number) =>
  new Fault('conflict', `number: +${number} leads somewhere on this PBX already`);
export const groupInUse = (users: readonly string[]) =>
  new Fault('conflict', `Calls lead to this ring group from: ${users.join(', ')}`);
export const emergencyByHand = () =>
  new Fault('invalid', 'to: emergency numbers are dialled at the telephone, so that it is known where it stands');
export const noClickToCall = (backend: string) =>
  new Fault('invalid', `this kind of PBX (${backend}) does not begin calls by a click`);
export const phoneAway = (number: number) =>
  new Fault('conflict', `The telephone of the extension ${number} is not registered`);
export const notYourPhone = () =>
  new Fault('forbidden', 'Only the primary user, or the user of this extension, may call with it');
export const noInvitation = () => new Fault('missing', 'There is no such invitation, or it was accepted already');
export const invitationExpired = () => new Fault('invalid', 'The invitation has expired; ask for a new one');
export const noOperation = () => new Fault('missing', 'There is no such operation of yours');
export const noReport = () => new Fault('missing', 'This instance has not been compared yet');
export const eventsForgotten = (after: number) =>
  new Fault('gone', `resync_required: the events after ${after} are not kept; read everything anew`, {
    code: 'RESYNC_REQUIRED',
  });
export const noBulkOrder = () => new Fault('missing', 'There is no such bulk order of yours');

export const noCarrierAccount = () => new Fault('missing', 'There is no such webhook');
/** The same message for every reason, so that a forger learns nothing. Bandwidth authenticates only when challenged. */
export const notGenuine = (carrier: string) =>
  new Fault('unauthenticated', 'The call does not prove where it comes from', {
    headers: { 'WWW-Authenticate': carrier === 'bandwidth' ? 'Basic realm="webhooks"' : 'Signature realm="webhooks"' },
  });

export const noFile = () => new Fault('missing', 'There is no such file in this company');
export const noContent = () => new Fault('missing', 'This file has no content yet');
export const fileInUse = () => new Fault('forbidden', 'The file is part of a message or of a fax');
export const noUpload = () => new Fault('invalid', 'upfile: one file is required in this field of a multipart form');
const MEGABYTE = 1024 * 1024;
const sizeOf = (bytes: number): string => (bytes < MEGABYTE ? `${bytes} bytes` : `${Math.floor(bytes / MEGABYTE)} MB`);
export const fileTooLarge = (maxBytes: number) =>
  new Fault('too-large', `upfile: a file may have at most ${sizeOf(maxBytes)}`);
export const noFax = () => new Fault('missing', 'There is no such fax in this company');
export const noDestination = () => new Fault('missing', 'There is no such destination in this company');
export const noFaxLine = () => new Fault('invalid', 'from: the company has no such number that can send faxes');
/** The same message whether the URL is forged, expired, or the file is gone. */
export const addressNotValid = () => new Fault('forbidden', 'This address is not valid, or has expired');
