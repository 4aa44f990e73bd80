/** Checks an answer against its profile field, and how it is stored. */
import { badRequest } from '../faults';
import { checkLength } from '../text-length';
import { FIELD_TYPES, type FieldType, type ProfileField } from './profile-field';

const MAX_SHORT_LENGTH = 50;
const MAX_LONG_LENGTH = 500;
const MAX_LINK_LENGTH = 2048;

/** A checked answer. The caller checks whether the named users exist. */
export interface CheckedValue {
  readonly value: string;
  readonly isMarkdown: boolean;
  readonly userIds: readonly number[];
}

export function checkValue(field: ProfileField, written: unknown): CheckedValue {
  if (field.type === FIELD_TYPES.person) return checkPeople(field, written);
  if (typeof written !== 'string') throw badRequest(`${field.name} is not a string`);
  CHECKS[field.type](field, written);
  return { value: written, isMarkdown: isMarkdown(field.type), userIds: [] };
}

const isMarkdown = (type: FieldType) => type === FIELD_TYPES.shortText || type === FIELD_TYPES.longText;

const atMost = (limit: number) => (field: ProfileField, value: string) => checkLength(field.name, value, limit);

const CHECKS: Readonly<Record<Exclude<FieldType, 6>, (field: ProfileField, value: string) => void>> = {
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
