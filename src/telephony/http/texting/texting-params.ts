/** Texting parameters that clients write in more than one way. */
import { z } from 'zod';
import type { Incoming } from '../../../kernel/http/incoming';
import { searchableId } from '../../../kernel/id';
import { numberField, readNumber, type EnteredNumber } from '../../model/texting/phone-number';
import { anyOf } from '../../../kernel/text/plain-words';
import type { E164 } from '../../model/texting/texting';

/** One or several: an array, a repeated parameter, or comma-separated text. */
const several = anyOf([z.string().max(1000), z.array(anyOf([z.string().max(40), z.int().transform(String)])).max(100)])
  .transform((given) => (typeof given === 'string' ? given.split(',') : given))
  .transform((parts): (string | number)[] => parts.filter((part) => part.trim() !== ''));

export const numbersField = several.pipe(z.array(numberField)).optional();

export const optionalNumber = anyOf([
  z.literal('').transform(() => undefined),
  z.null().transform(() => undefined),
  numberField,
]).optional();

/** A contact, named by id or number. */
export function contactOf(text: string | undefined): { contactId?: string; contactNumber?: EnteredNumber['e164'] } {
  if (text === undefined) return {};
  const e164 = /^[0-9a-f]{24}$/.test(text) ? undefined : readNumber(text);
  return e164 === undefined ? { contactId: text } : { contactNumber: e164 };
}

const ID = /^[0-9a-f]{24}$/;

/** All comma-separated parts of the text values. */
const partsOf = (values: readonly unknown[]): string[] =>
  values
    .flat()
    .filter((each) => typeof each === 'string')
    .flatMap((each) => each.split(','))
    .map((part) => searchableId(part.trim()))
    .filter((part) => part !== '');

/**
 * Collects ids wherever clients put them: ?ids=a,b, ?ids[]=a&ids[]=b, ?a&b, ?a,b, or in the body. Values under `ids`
 * count even if they do not look like ids.
 */
export function idsOf({ query, body }: Incoming): string[] {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const named = partsOf([query['ids'], query['ids[]'], fields['ids']]);
  const found = partsOf([...Object.keys(query), ...Object.values(query), ...Object.values(fields)]);
  return [...new Set([...named, ...found.filter((part) => ID.test(part))])];
}

/** For examples of refusals. */
export const SAMPLE_OURS = '+15550100001' as E164;
export const SAMPLE_THEIRS = '+15550100003' as E164;
