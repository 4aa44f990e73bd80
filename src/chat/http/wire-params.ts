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

export const integers = jsonField(z.array(z.int()));
export const strings = jsonField(z.array(z.string()));

/** A number too long for any message is a message that is not there, not a mistake in the address. */
export const messageId = z
  .preprocess(
    (written) => (typeof written === 'string' && /^\d{16,}$/.test(written) ? Number.MAX_SAFE_INTEGER : written),
    integer,
  )
  .meta({ type: 'integer' });
