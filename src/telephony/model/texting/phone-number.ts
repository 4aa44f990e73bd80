/** Parses telephone numbers as people and carriers write them into E.164. */
import { z } from 'zod';
import type { E164 } from './texting';
import { anyOf } from '../../../kernel/text/plain-words';

const FULL = /^\+[1-9]\d{6,14}$/;
/** North American area codes do not start with 0 or 1. */
const NORTH_AMERICAN = /^1?[2-9]\d{9}$/;
const SEPARATORS = /[\s().-]/g;

/** Returns undefined for anything else. A local number would be ambiguous. */
export function readNumber(raw: string): E164 | undefined {
  const digits = raw.replace(SEPARATORS, '');
  if (FULL.test(digits)) return digits as E164;
  if (NORTH_AMERICAN.test(digits)) return (digits.length === 10 ? `+1${digits}` : `+${digits}`) as E164;
  // An unescaped plus sign in a query string arrives as a blank.
  return raw.startsWith(' ') && FULL.test(`+${digits}`) ? (`+${digits}` as E164) : undefined;
}

/** The same text for all ways to write a number. What is no full number is compared as it is written. */
export const comparableNumber = (raw: string): string => readNumber(raw.trim()) ?? raw.replace(SEPARATORS, '');

export interface EnteredNumber {
  readonly e164: E164;
  /** As it was entered. */
  readonly raw: string;
}

/** A number in a body or query. Some clients send it as a JSON number. */
export const numberField = anyOf([z.string().max(40), z.int().nonnegative().transform(String)])
  .transform((raw, context): EnteredNumber => {
    const e164 = readNumber(raw);
    if (e164 !== undefined) return { e164, raw };
    context.addIssue({
      code: 'custom',
      message: 'is not a telephone number: 10 digits, 1 and 10 digits, or + and a country code',
    });
    return z.NEVER;
  })
  .meta({ type: 'string', example: '+15550100003' });
