/** Schemas of the devices that receive pushes. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';

export const pushDevicesAnswer = z.object({
  /** Null if the server sends no pushes. */
  public_key: z.string().nullable(),
  devices: z.array(
    z
      .object({
        id: z.int(),
        agent: z.string(),
        created_at: z.int(),
        seen_at: z.int(),
        current: z.boolean(),
      })
      .meta({ id: 'PushDevice' }),
  ),
});
export type PushDevicesAnswer = Wire<typeof pushDevicesAnswer>;

export const pushDeviceAnswer = z.object({ device_id: z.int() });
