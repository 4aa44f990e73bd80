/** Schemas of the browsers that receive pushes. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';
import { time } from './company';

export const pushDevicesAnswer = z.object({
  public_key: z.string().nullable().meta({ description: 'Null if the server sends no pushes' }),
  devices: z.array(
    z
      .object({
        id: z.int(),
        agent: z.string(),
        created_at: time,
        seen_at: time,
        current: z.boolean().meta({ description: 'Whether it belongs to this session' }),
      })
      .meta({ id: 'PortalPushDevice' }),
  ),
});
export type PushDevicesAnswer = Wire<typeof pushDevicesAnswer>;

export const pushDeviceAnswer = z.object({ device_id: z.int() });

export const pushSettings = z.object({
  content: z.boolean().meta({ description: 'Whether pushes say who wrote what' }),
});
