/** Schemas of ring groups, numbers from outside, and forwards. */
import { z } from 'zod';
import { DESTINATION_TYPES, STRATEGIES } from '../arrangements/arrangement';
import { time } from './company';

const uuid = z.string().meta({ format: 'uuid' });

export const destination = z
  .object({ type: z.enum(DESTINATION_TYPES), number: z.int().nullable() })
  .meta({ id: 'Destination', description: '`busy` and `hangup` have no number' });

const shape = { id: z.string(), instance_uuid: uuid };
const stamps = { created: time, updated: time };

export const ringGroup = z
  .object({
    ...shape,
    number: z.int(),
    name: z.string(),
    members: z.array(z.string()).meta({ description: 'Extensions, and numbers outside' }),
    strategy: z.enum(STRATEGIES).meta({ description: 'All members at once, or one after the other' }),
    ring_time: z.int().meta({ description: 'Seconds: for all, or for each' }),
    prefix: z.string().meta({ description: 'Put before the name of the caller' }),
    no_answer: destination.nullable().meta({ description: 'Where a call goes that nobody took' }),
    ...stamps,
  })
  .meta({ id: 'RingGroup' });
export const ringGroups = z.array(ringGroup);

export const outsideNumber = z
  .object({ ...shape, number: z.string(), name: z.string(), destination, ...stamps })
  .meta({ id: 'OutsideNumber', description: 'A number from outside (DID), and where its calls go' });
export const outsideNumbers = z.array(outsideNumber);

export const forwards = z
  .object({
    instance_uuid: uuid,
    extension_id: z.string(),
    number: z.int(),
    do_not_disturb: z.boolean(),
    always: z.string().nullable(),
    busy: z.string().nullable(),
    no_answer: z.string().nullable(),
    source: z
      .enum(['order', 'pbx'])
      .nullable()
      .meta({ description: 'Who changed them last: an order, or somebody at the telephone' }),
    updated: time.nullable(),
  })
  .meta({ id: 'Forwards', description: 'Numbers that calls of an extension go to, and do not disturb' });

/** What is left to say of a deleted one. */
export const deletedArrangement = z.object({ id: z.string(), instance_uuid: uuid });
