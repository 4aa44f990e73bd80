/** Parameters that only chat's clients send so. */
import { z } from 'zod';
import { integer, jsonField, text } from '../../kernel/http/params';

/** Text that some clients send as JSON and others as it stands. */
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

/** As many as messages may be asked for at once; longer lists come from nobody's client. */
export const MOST_LISTED = 5000;
const tooMany = `has more than ${MOST_LISTED} entries`;

export const listOf = <S extends z.ZodType>(each: S) => jsonField(z.array(each).max(MOST_LISTED, tooMany));
export const integers = listOf(z.int());
export const strings = listOf(z.string());

/** Text that is kept and sent to others as it is. */
export const shortText = (most: number) =>
  text.refine((written) => written.length <= most, `is too long (limit: ${most} characters)`).meta({ type: 'string' });

/** A number too long for any message is a message that is not there, not a mistake in the address. */
export const messageId = z
  .preprocess(
    (written) => (typeof written === 'string' && /^\d{16,}$/.test(written) ? Number.MAX_SAFE_INTEGER : written),
    integer,
  )
  .meta({ type: 'integer' });
