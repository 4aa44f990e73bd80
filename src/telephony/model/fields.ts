/** Schemas of common body fields. Null counts as empty, because clients send it back, and lengths fit the columns. */
import { z } from 'zod';
import { emailKey, isPlainlySpelled, MAX_EMAIL_LENGTH } from '../../kernel/secrets/email-key';
import { ensure } from '../../kernel/fault';
import { searchableId } from '../../kernel/id';
import { anyOf } from '../../kernel/text/plain-words';
import { disguisedEmail } from './faults';

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;

function isEmail(text: string): boolean {
  const key = emailKey(text);
  const isShort = text.length <= MAX_EMAIL_LENGTH && key.length <= MAX_EMAIL_LENGTH;
  return isShort && EMAIL.test(text) && EMAIL.test(key);
}

/** Refuses a new address that may be taken for another one. The stored address stays allowed, however it is spelled. */
export function checkNewEmail(field: string, email: string | null | undefined, before?: string): void {
  ensure(!email || email === before || isPlainlySpelled(email), disguisedEmail(field));
}

export const line = (most = 255) => anyOf([z.string().max(most), z.null().transform(() => '')]);
/** An id, or empty for none. The command checks whether it exists. */
export const optionalId = (most = 24) => line(most).transform(searchableId);
export const id = (most = 100) => z.string().max(most).transform(searchableId);
export const paragraph = line(2000);
/** An email address or empty. */
export const optionalEmail = line(254).refine((text) => text === '' || isEmail(text), 'is not an email address');
/** Comma-separated email addresses, as PBXs take them, or empty. */
export const emails = line().refine(
  (text) => text === '' || text.split(',').every((each) => isEmail(each.trim()) && isPlainlySpelled(each.trim())),
  'is not an email address in plain letters',
);
export const email = z
  .string()
  .transform((text) => text.trim())
  .refine(isEmail, 'is not an email address');
export const name = (most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text !== '' && text.length <= most, `must have 1 to ${most} characters`);
export const whole = (least: number, most: number) =>
  anyOf([z.int().min(least).max(most), z.null().transform(() => 0)]);
export const yesNo = anyOf([z.boolean(), z.null().transform(() => false)]);
/** A date, optionally with a time. Date.parse alone would accept 31 February. */
function isDate(text: string): boolean {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

export const date = anyOf([
  z.string().refine((text) => text === '' || isDate(text), 'must be a day that exists, such as 1990-12-31'),
  z.null().transform(() => ''),
]);

/** Whether it is a known timezone, such as Europe/Berlin. */
export function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A timezone or empty. */
export const timezone = line(64).refine(
  (text) => text === '' || isTimezone(text),
  'must be a timezone such as America/New_York',
);

export const street = z
  .object({ name: line(), number: whole(0, 1_000_000_000), type: line(50) })
  .partial()
  .nullable();
export const address = z
  .object({
    address2: line(),
    city: line(100),
    country: line(100),
    number: line(50),
    state: line(100),
    street,
    zip: line(20),
  })
  .partial()
  .nullable();

/** A recursive Partial that also allows null for objects. */
export type Part<T> = {
  readonly [K in keyof T]?: (T[K] extends object ? Part<T[K]> | null : T[K]) | undefined;
};

/** Deep-merges the part into the whole. Missing and null values keep what is there. */
export function merge<T extends object>(whole: T, part: Part<T>): T {
  const merged = { ...whole } as Record<string, unknown>;
  for (const [key, value] of Object.entries(part)) {
    if (!Object.hasOwn(whole, key) || value === undefined || value === null) continue;
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged as T;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the changed fields, for the audit trail. */
export const changedFields = (part: object): string[] =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => key)
    .sort();
