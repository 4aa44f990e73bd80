/** Custom profile fields: their types, the rules for a field itself, and for answers to it. */
import type { Wire } from '../../../kernel/text/wire';
import type { profileField } from '../answers/users';
import { badRequest } from '../faults';
import { checkLength } from '../text-length';

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
const { CHOICE, EXTERNAL_ACCOUNT, LONG_TEXT, SHORT_TEXT, USER } = CUSTOM_PROFILE_FIELD_TYPES;

type KnownType = (typeof CUSTOM_PROFILE_FIELD_TYPES)[keyof typeof CUSTOM_PROFILE_FIELD_TYPES];
export type FieldType = KnownType['id'];
export type ProfileField = Omit<Wire<typeof profileField>, 'type'> & { readonly type: FieldType };
export type FieldDraft = Pick<ProfileField, 'name' | 'hint' | 'type' | 'field_data'>;

const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;

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
  if (!Object.values(CUSTOM_PROFILE_FIELD_TYPES).some(({ id }) => id === type)) throw badRequest('Invalid field type.');
  const known = type === EXTERNAL_ACCOUNT.id ? DEFAULT_EXTERNAL_ACCOUNTS[String(data['subtype'])] : undefined;
  const label = (known ? known.name : name).trim();
  if (label === '') throw badRequest('Name cannot be blank.');
  checkLength('name', label, MAX_NAME_LENGTH);
  checkLength('hint', hint, MAX_HINT_LENGTH);
  const field = { name: label, hint: known ? known.hint : hint, type: type as FieldType };
  return { ...field, field_data: checkData(field.type, data) };
}

function checkData(type: FieldType, data: FieldData): string {
  if (type === CHOICE.id) checkChoices(data);
  else if (type === EXTERNAL_ACCOUNT.id) checkAccount(data);
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

const MAX_SHORT_LENGTH = 50;
const MAX_LONG_LENGTH = 500;
const MAX_LINK_LENGTH = 2048;

interface CheckedValue {
  readonly value: string;
  readonly isMarkdown: boolean;
  readonly userIds: readonly number[];
}

/** Checks an answer, and returns it as stored. The caller checks whether the named users exist. */
export function checkValue(field: ProfileField, written: unknown): CheckedValue {
  if (field.type === USER.id) return checkPeople(field, written);
  if (typeof written !== 'string') throw badRequest(`${field.name} is not a string`);
  CHECKS[field.type](field, written);
  return { value: written, isMarkdown: isMarkdown(field.type), userIds: [] };
}

const isMarkdown = (type: FieldType) => type === SHORT_TEXT.id || type === LONG_TEXT.id;

const atMost = (limit: number) => (field: ProfileField, value: string) => checkLength(field.name, value, limit);

const CHECKS: Readonly<Record<Exclude<FieldType, typeof USER.id>, (field: ProfileField, value: string) => void>> = {
  1: atMost(MAX_SHORT_LENGTH),
  2: atMost(MAX_LONG_LENGTH),
  3(field, value) {
    const choices = JSON.parse(field.field_data) as Record<string, unknown>;
    if (!Object.hasOwn(choices, value)) throw badRequest(`'${value}' is not a valid choice for '${field.name}'.`);
  },
  4(field, value) {
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value);
    if (!isDate) throw badRequest(`${field.name} is not a date`);
  },
  5(field, value) {
    atMost(MAX_LINK_LENGTH)(field, value);
    if (!/^https?:\/\/[^\s/]+\S*$/.test(value)) throw badRequest(`${field.name} is not a URL`);
  },
  7: atMost(MAX_SHORT_LENGTH),
};

/** Rejects dates such as 30 February. */
function isRealDay(value: string): boolean {
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

function checkPeople(field: ProfileField, written: unknown): CheckedValue {
  if (!Array.isArray(written)) throw badRequest(`${field.name} is not a list`);
  const ids: unknown[] = written;
  for (const [place, id] of ids.entries()) {
    if (!Number.isSafeInteger(id)) throw badRequest(`${field.name}[${place}] is not an integer`);
  }
  return { value: JSON.stringify(ids), isMarkdown: false, userIds: ids as number[] };
}
