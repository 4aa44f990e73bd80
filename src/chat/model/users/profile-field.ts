/** Custom profile fields: their types, and the rules for a field itself. */
import { badRequest } from '../faults';
import { checkLength } from '../text-length';

/** Numbers in the wire format. */
export const FIELD_TYPES = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  person: 6,
  account: 7,
} as const;
export type FieldType = (typeof FIELD_TYPES)[keyof typeof FIELD_TYPES];

export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: FieldType;
  /** JSON: the choices, or the kind of account. */
  readonly field_data: string;
  readonly order: number;
}
export type FieldDraft = Pick<ProfileField, 'name' | 'hint' | 'type' | 'field_data'>;

const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;

/** As clients get them when they register. */
export const CUSTOM_PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Short text' },
  LONG_TEXT: { id: 2, name: 'Long text' },
  CHOICE: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date picker' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Person picker' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
} as const;

/** Kinds of account with a built-in URL pattern. */
export const DEFAULT_EXTERNAL_ACCOUNTS: Readonly<
  Record<string, { text: string; name: string; hint: string; url_pattern: string }>
> = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter',
    hint: 'Enter your Twitter username',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    text: 'GitHub',
    name: 'GitHub',
    hint: 'Enter your GitHub username',
    url_pattern: 'https://github.com/%(username)s',
  },
};

export type FieldData = Readonly<Record<string, unknown>>;

export interface WrittenField {
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  readonly data: FieldData;
}

/** Returns the field as stored. */
export function checkField({ name, hint, type, data }: WrittenField): FieldDraft {
  if (!Object.values<number>(FIELD_TYPES).includes(type)) throw badRequest('Invalid field type.');
  const known = type === FIELD_TYPES.account ? DEFAULT_EXTERNAL_ACCOUNTS[String(data['subtype'])] : undefined;
  const label = (known ? known.name : name).trim();
  if (label === '') throw badRequest('Name cannot be blank.');
  checkLength('name', label, MAX_NAME_LENGTH);
  checkLength('hint', hint, MAX_HINT_LENGTH);
  const field = { name: label, hint: known ? known.hint : hint, type: type as FieldType };
  return { ...field, field_data: checkData(field.type, data) };
}

function checkData(type: FieldType, data: FieldData): string {
  if (type === FIELD_TYPES.choice) checkChoices(data);
  else if (type === FIELD_TYPES.account) checkAccount(data);
  else return '';
  return JSON.stringify(data);
}

function checkChoices(data: FieldData): void {
  const choices = Object.entries(data);
  if (choices.length === 0) throw badRequest('Field must have at least one choice.');
  for (const [key, choice] of choices) {
    if (key.trim() === '') throw badRequest("'value' cannot be blank.");
    if (typeof choice !== 'object' || choice === null) throw badRequest('field_data is not a dict');
    for (const part of ['text', 'order']) {
      const written = (choice as Record<string, unknown>)[part];
      if (written === undefined) throw badRequest(`${part} key is missing from field_data`);
      if (typeof written !== 'string') throw badRequest(`field_data["${part}"] is not a string`);
      if (written.trim() === '') throw badRequest(`field_data["${part}"] cannot be blank.`);
    }
  }
}

function checkAccount({ subtype, url_pattern: pattern }: FieldData): void {
  if (typeof subtype !== 'string') throw badRequest('subtype key is missing from field_data');
  if (subtype !== 'custom') {
    if (!(subtype in DEFAULT_EXTERNAL_ACCOUNTS)) throw badRequest('Invalid external account type');
    return;
  }
  if (typeof pattern !== 'string') throw badRequest('Custom external account must define url pattern');
  const isWeb = /^https?:\/\/\S+$/.test(pattern.replace('%(username)s', 'username'));
  if (!isWeb || pattern.split('%(username)s').length !== 2) throw badRequest('Malformed URL pattern.');
}
