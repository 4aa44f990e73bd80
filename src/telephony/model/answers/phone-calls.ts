/** Schema of a call that was begun by a click. */
import { z } from 'zod';
import { time } from './company';

export const phoneCall = z
  .object({
    id: z.string().meta({ description: 'That of the order, and of the call on the PBX' }),
    instance_uuid: z.string().meta({ format: 'uuid' }),
    extension_id: z.string(),
    from: z.int(),
    to: z.string(),
    created: time,
  })
  .meta({ id: 'PhoneCall', description: 'The telephone of the extension rings first, then the number' });
