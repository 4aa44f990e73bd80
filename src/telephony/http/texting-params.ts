/** Parameters of texting that are written in more than one way. */
import { z } from 'zod';
import type { Incoming } from '../../kernel/http/incoming';
import { numberField, readNumber, type EnteredNumber } from '../model/phone-number';

/** One or several: an array, a parameter given twice, or text with commas. */
const several = z
  .union([z.string().max(1000), z.array(z.union([z.string().max(40), z.int().transform(String)])).max(100)])
  .transform((given) => (typeof given === 'string' ? given.split(',') : given))
  .transform((parts): (string | number)[] => parts.filter((part) => part.trim() !== ''));

export const numbersField = several.pipe(z.array(numberField)).optional();

export const optionalNumber = z
  .union([z.literal('').transform(() => undefined), z.null().transform(() => undefined), numberField])
  .optional();

/** The one who is meant by an id, or by a number. */
export function contactOf(text: string | undefined): { contactId?: string; contactNumber?: EnteredNumber['e164'] } {
  if (text === undefined) return {};
  const e164 = /^[0-9a-f]{24}$/.test(text) ? undefined : readNumber(text);
  return e164 === undefined ? { contactId: text } : { contactNumber: e164 };
}

const ID = /^[0-9a-f]{24}$/;

/** Ids wherever clients put them: ?ids=a,b, ?ids[]=a&ids[]=b, ?a&b, ?a,b, or in the body. */
export function idsOf({ query, body }: Incoming): string[] {
  const fields = typeof body === 'object' && body !== null ? Object.values(body) : [];
  const given = [...Object.keys(query), ...Object.values(query), ...fields].flat();
  const texts = given.filter((each): each is string => typeof each === 'string').flatMap((each) => each.split(','));
  return [...new Set(texts.map((text) => text.trim()).filter((text) => ID.test(text)))];
}
