/** An extension: a number on a PBX, whom it belongs to, and everything the PBX is told about it. */
import type { CompanyId } from '../companies/company';
import type { ContactId } from '../contacts/contact';

declare const extension: unique symbol;
export type ExtensionId = string & { readonly [extension]: true };

export const PURPOSES = ['ip-phone', 'mobile-app'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Fields of `data` other than the number and the credentials. */
export type ExtensionData = Readonly<Record<string, string | number | boolean>>;

/** Kept encrypted, shown to few. */
export interface Credentials {
  readonly secret: string;
  readonly password: string;
  readonly voicemail_vmpwd: string;
}

/** The state of an extension, wherever it is kept. */
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

/** What takes the place of a credential; sent back by a client, it means "as it was". */
export const MASK = '********';

export interface CallerId {
  readonly name: string;
  readonly number: string;
  readonly value: string;
}

/** `"Name" <number>`, or a number alone. */
export function readCallerId(value: string): CallerId {
  const [, name = '', number = ''] = /^\s*"?([^"<]*?)"?\s*<([^>]*)>\s*$/.exec(value) ?? [];
  return number === '' ? { name: '', number: value.trim(), value } : { name, number, value };
}

export function writeCallerId(name: string, number: string): string {
  if (number === '') return '';
  return name === '' ? number : `"${name.replaceAll('"', "'")}" <${number}>`;
}

/** What a search looks at. */
export function searchText(number: number, data: ExtensionData): string {
  const words = [number, data['name'], data['description'], data['voicemail_email'], data['outboundcid']];
  return words.join(' ').toLowerCase().slice(0, 400);
}
