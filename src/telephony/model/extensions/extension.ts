/** An extension: a number on a PBX, its user, and everything that is pushed to the PBX. */
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';

declare const extension: unique symbol;
export type ExtensionId = string & { readonly [extension]: true };

const PURPOSES = ['ip-phone', 'mobile-app'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The fields of `data` except the number and the credentials. */
export type ExtensionData = Readonly<Record<string, string | number | boolean>>;

/** Stored encrypted, and shown only to the owner and the extension's user. */
export interface Credentials {
  readonly secret: string;
  readonly password: string;
  readonly voicemail_vmpwd: string;
}

/** The part of an extension that an order can change. */
export interface ExtensionState {
  readonly userId: ContactId | null;
  readonly locationId: string;
  readonly purpose: Purpose;
  readonly data: ExtensionData;
  readonly credentials: Credentials;
}

export interface Extension extends ExtensionState {
  readonly id: ExtensionId;
  readonly companyId: CompanyId;
  readonly pbx: string;
  readonly number: number;
  readonly isVisible: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Shown instead of a credential. Sent back by a client, it keeps the credential. */
export const MASK = '********';

export interface CallerId {
  readonly name: string;
  readonly number: string;
  readonly value: string;
}

/** Parses `"Name" <number>` or a bare number. */
export function readCallerId(value: string): CallerId {
  const [, name = '', number = ''] = /^\s*"?([^"<]*?)"?\s*<([^>]*)>\s*$/.exec(value) ?? [];
  return number === '' ? { name: '', number: value.trim(), value } : { name, number, value };
}

export function writeCallerId(name: string, number: string): string {
  if (number === '') return '';
  return name === '' ? number : `"${name.replaceAll('"', "'")}" <${number}>`;
}

/** The text that searches match. */
export function searchText(number: number, data: ExtensionData): string {
  const words = [number, data['name'], data['description'], data['voicemail_email'], data['outboundcid']];
  return words.join(' ').toLowerCase().slice(0, 400);
}
