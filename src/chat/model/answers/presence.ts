/** Schemas of presence. */
import { z } from 'zod';

/** As one client reported it. The aggregated report of all clients has no `pushable`. */
export const presenceReport = z
  .object({
    client: z.string(),
    status: z.enum(['active', 'idle']),
    timestamp: z.int().meta({ description: 'Seconds since 1970' }),
    pushable: z.boolean().optional(),
  })
  .meta({ id: 'PresenceReport' });

export const slimReport = z
  .object({ active_timestamp: z.int(), idle_timestamp: z.int() })
  .meta({ id: 'SlimPresence', description: 'When the user was last active, and last there; seconds since 1970' });

export const presences = z.record(z.string(), z.union([slimReport, z.record(z.string(), presenceReport)])).meta({
  description:
    'By email address, then by client; `aggregated` is the newest of all clients. With `slim_presence` by user id.',
});

const briefReport = z.object({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() });

export const presencesAnswer = z.object({ presences, server_timestamp: z.number() });
/** With ping_only, the presence of others is left out. */
export const presencePingAnswer = presencesAnswer.extend({ presence_last_update_id: z.int() }).partial();
export const presenceAnswer = z.object({
  presence: z.record(z.string(), briefReport).meta({ description: 'By client; `aggregated` is the newest' }),
});
