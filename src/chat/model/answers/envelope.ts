/** The envelope around every response of chat. */
import { z } from 'zod';

const RESULT = { result: z.literal('success') };
const SUCCESS = { ...RESULT, msg: z.literal('') };

/** A response without fields of its own. */
export const DONE = z.object({});

/** Adds the envelope's fields to a response's own. Some responses have their own `msg`. */
export function inEnvelope(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((each) => inEnvelope(each as z.ZodType)));
  if (schema instanceof z.ZodObject) return schema.safeExtend('msg' in schema.shape ? RESULT : SUCCESS);
  throw new Error('An answer of chat is an object, whose fields stand beside those of the envelope');
}

/** The schema of every refusal. The other fields give details that depend on the code. */
export const refusal = z
  .object({
    result: z.literal('error'),
    msg: z.string(),
    code: z.string().optional().meta({ description: 'A stable code for programs' }),
    var_name: z.string().optional().meta({ description: 'The missing or invalid parameter' }),
    bad_value: z.string().optional(),
    var_name1: z.string().optional(),
    var_name2: z.string().optional(),
    stream: z.string().optional(),
    stream_id: z.int().optional(),
    principal: z.union([z.string(), z.int()]).optional(),
    queue_id: z.string().optional(),
    desc: z.string().optional().meta({ description: 'Why the narrow is invalid' }),
    reason: z.string().optional().meta({ description: 'Why the login was refused' }),
    key: z.string().optional().meta({ description: 'The invalid field of a webhook payload' }),
    header: z.string().optional().meta({ description: 'The missing header of a webhook delivery' }),
    webhook_name: z.string().optional(),
    event_type: z.string().optional().meta({ description: 'The event type that the integration does not know' }),
    allowed_methods: z.array(z.string()).optional(),
    errors: z
      .array(z.tuple([z.string(), z.string()]))
      .optional()
      .meta({ description: 'Addresses that were not invited, each with the reason' }),
    sent_invitations: z.boolean().optional().meta({ description: 'Whether the other addresses were invited' }),
    'retry-after': z.number().optional().meta({ description: 'Seconds' }),
  })
  .meta({ id: 'ChatError' });
