/** Everything telephony can refuse. */
import { Fault } from '../../kernel/fault';

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="telephony"' } };

export const keyRequired = () =>
  new Fault('unauthenticated', 'The header "Authorization: Bearer <API key>" is required', CHALLENGE);
export const invalidKey = () => new Fault('unauthenticated', 'The API key is not valid', CHALLENGE);
export const userRequired = () =>
  new Fault('unauthenticated', 'The header X-User-Id must be the id of a contact, or "primary"', CHALLENGE);
export const unknownUser = () => new Fault('unauthenticated', 'X-User-Id names no contact of this company', CHALLENGE);

export const companyNameTaken = (name: string) => new Fault('conflict', `There is a company named "${name}" already`);
