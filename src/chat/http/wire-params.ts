/** Parameter types that only chat's clients use. */
import { z } from 'zod';
import { integer, jsonField, text } from '../../kernel/http/params';
import { confusingArguments } from '../model/faults';

/** Text that some clients send as JSON and others as it is. */
export const looseText = text
  .transform((value) => {
    if (!/^\s*".*"\s*$/s.test(value)) return value;
    try {
      return String(JSON.parse(value));
    } catch {
      return value;
    }
  })
  .meta({ type: 'string' });

/** The maximum number of messages per request. No client sends longer lists. */
export const MAX_LISTED = 5000;
const tooMany = `has more than ${MAX_LISTED} entries`;

export const listOf = <S extends z.ZodType>(each: S) => jsonField(z.array(each).max(MAX_LISTED, tooMany));
export const integers = listOf(z.int());
export const strings = listOf(z.string());
/** Values of profile fields. */
export const profileData = listOf(z.object({ id: z.int(), value: z.unknown() }));

/** Text that is stored and sent to others unchanged. */
export const shortText = (most: number) =>
  text.refine((written) => written.length <= most, `is too long (limit: ${most} characters)`).meta({ type: 'string' });

/** An overlong number names a message that does not exist; it is not an invalid parameter. */
export const messageId = z
  .preprocess(
    (written) => (typeof written === 'string' && /^\d{16,}$/.test(written) ? Number.MAX_SAFE_INTEGER : written),
    integer,
  )
  .meta({ type: 'integer' });

/** The topic, under either of its two names, but not both. */
export function topicOf(params: { topic?: string | undefined; subject?: string | undefined }): string | undefined {
  if (params.topic !== undefined && params.subject !== undefined) throw confusingArguments('topic', 'subject');
  return params.topic ?? params.subject;
}
