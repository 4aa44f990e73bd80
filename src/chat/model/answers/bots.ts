/** Schemas of bots, as their owners see them. */
import { z } from 'zod';

const defaults = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
};
export const botDefaults = z.object(defaults);

/** The endpoint of an outgoing webhook bot. Other bots have none. */
const services = z.array(
  z.object({
    base_url: z.string(),
    interface: z.int().meta({ description: "1 for Zulip's format, 2 for Slack's" }),
    token: z.string().meta({ description: 'Sent with every request to the program' }),
  }),
);

export const bot = z
  .object({
    username: z.string(),
    user_id: z.int(),
    full_name: z.string(),
    bot_type: z.int(),
    api_key: z.string(),
    avatar_url: z.string(),
    services,
    ...defaults,
  })
  .meta({ id: 'Bot' });
export const botsAnswer = z.object({ bots: z.array(bot) });

const changedShape = {
  avatar_url: z.string(),
  service_interface: z.int().nullable(),
  service_payload_url: z.string().nullable(),
  config_data: z.null(),
  ...defaults,
  bot_owner: z.string().optional(),
};
export const newBotAnswer = z.object({ user_id: z.int(), api_key: z.string(), ...changedShape });
export const botAnswer = z.object({ full_name: z.string(), ...changedShape });

export const botSignatureAnswer = z.object({
  scheme: z.string().nullable().meta({ description: 'Null if deliveries need only the key' }),
});

/** As sent at registration and in events. */
export const realmBot = z
  .object({
    email: z.string(),
    user_id: z.int(),
    full_name: z.string(),
    bot_type: z.int().nullable(),
    is_active: z.boolean(),
    api_key: z.string().nullable().meta({ description: 'Null if the reader may not see it' }),
    ...defaults,
    avatar_url: z.string(),
    services,
    owner: z.string().optional(),
  })
  .meta({ id: 'RealmBot' });

export const botStorageAnswer = z.object({ storage: z.record(z.string(), z.string()) });
