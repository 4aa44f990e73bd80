/** Schemas of the routes that only the portal uses. */
import { z } from 'zod';
import type { Wire } from '../../../kernel/text/wire';
import { KEY_RIGHTS } from '../companies/key';
import { BULK_MODES } from '../extensions/bulk';
import { PROVISIONING_STATES } from '../extensions/provisioning-state';
import { DELIVERY_STATES } from '../portal/company-webhook';
import { OPENED_BY } from '../portal/portal';
import { time } from './company';
import { textingContacts } from './texting';

const signedIn = z.object({
  signed_in: z.literal(true),
  token: z.string().meta({ description: 'Send this as X-Partyline-Token with every request' }),
  contact_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  is_owner: z.boolean(),
  has_password: z.boolean(),
  opened_by: z.enum(OPENED_BY),
  company: z.object({ id: z.string(), name: z.string() }),
  sends_mail: z.boolean(),
});
export type SignedInPortal = Wire<typeof signedIn>;

const signedOut = z.object({
  signed_in: z.literal(false),
  sends_mail: z.boolean().meta({ description: 'Whether sign-in links can be emailed' }),
  demo_contacts: z
    .array(z.object({ id: z.string(), name: z.string(), email: z.string(), company: z.string() }))
    .optional()
    .meta({ description: 'Accounts for one-click sign-in; development servers only' }),
});

const choice = z.object({
  signed_in: z.literal(false),
  companies: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .meta({ description: 'The password is valid for all of these: repeat the request with company_id' }),
});

export const portalSession = z.union([signedIn, signedOut]);
export type PortalSession = Wire<typeof portalSession>;
export const signInAnswer = z.union([signedIn, choice]);

export const portalSessions = z.array(
  z
    .object({
      id: z.int(),
      agent: z.string(),
      address: z.string(),
      opened_by: z.enum(OPENED_BY),
      created_at: time,
      last_used_at: time.meta({ description: 'May lag by up to five minutes' }),
      current: z.boolean(),
    })
    .meta({ id: 'PortalSession' }),
);
export type PortalSessions = Wire<typeof portalSessions>;

const keyShape = {
  id: z.string(),
  name: z.string(),
  rights: z.enum(KEY_RIGHTS),
  created_at: time,
  last_used_at: time.nullable().meta({ description: 'May lag by up to five minutes' }),
  ends_at: time.nullable(),
};
const portalKey = z.object(keyShape).meta({ id: 'ApiKey' });
export type PortalKey = Wire<typeof portalKey>;
export const portalKeys = z.array(portalKey);
export const madeKey = z.object({ ...keyShape, key: z.string().meta({ description: 'Shown only once' }) });

export const socketTicket = z.object({
  ticket: z.string().meta({ description: 'The token for `authenticate`, valid for a minute' }),
});
export const doneAnswer = z.object({ done: z.literal(true) });

export const textTemplate = z.object({ id: z.string(), text: z.string() }).meta({ id: 'TextTemplate' });
export const textTemplates = z.array(textTemplate);

export const textDraft = z.object({ text: z.string() });

const noteShape = { id: z.string(), user_id: z.string().nullable(), text: z.string(), created_at: time };
export const conversationNote = z.object(noteShape).meta({ id: 'ConversationNote' });
export type NoteObject = Wire<typeof conversationNote>;
export const conversationNotes = z.array(conversationNote);

const foundText = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    name: z.string().meta({ description: 'Of the conversation, if it is a group or a campaign' }),
    contactsinfo: textingContacts,
    direction: z.enum(['inbound', 'outbound']),
    text: z.string(),
    user_id: z.string().nullable(),
    created_at: time,
  })
  .meta({ id: 'FoundText' });
export type FoundTextObject = Wire<typeof foundText>;
export const foundTexts = z.array(foundText);

/** More rows than one order may have; names of columns as long as those of spreadsheets. */
const MAX_LINES = 1000;
const MAX_LINE = 1_000_000_000;
const heading = z.string().max(255);
export const bulkFileShape = {
  columns: z.record(z.string().max(64), heading).meta({ description: 'The heading of the column, by API field' }),
  lines: z.array(z.int().min(1).max(MAX_LINE)).max(MAX_LINES).meta({ description: 'The line of each row' }),
};
export const bulkFile = z.object(bulkFileShape).meta({ id: 'BulkFile' });
export type BulkFile = z.output<typeof bulkFile>;

export const holdings = z.array(z.object({ contact_id: z.string(), number: z.int() }).meta({ id: 'Holding' }));

export const standings = z.array(
  z
    .object({
      number: z.int(),
      state: z.enum(PROVISIONING_STATES),
      detail: z.string().meta({ description: "The PBX's error, if an order failed" }),
      order: z.enum(['create', 'update', 'delete']).nullable().meta({ description: 'What failed' }),
    })
    .meta({ id: 'Standing' }),
);

export const credentials = z
  .object({
    server: z.string().meta({ description: 'Where telephones register' }),
    user_name: z.string(),
    secret: z.string(),
    voicemail_pin: z.string(),
  })
  .meta({ id: 'PhoneCredentials' });

const bulkLine = z
  .object({
    id: z.string(),
    instance_uuid: z.string().meta({ format: 'uuid' }),
    mode: z.enum(BULK_MODES),
    state: z.enum(['running', 'finished']),
    total: z.int(),
    created: time,
  })
  .meta({ id: 'BulkOrderLine' });
export type PortalBulkOrder = Wire<typeof bulkLine>;
export const bulkOrders = z.array(bulkLine);

const webhookShape = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).meta({ description: 'Empty means all' }),
  active: z.boolean(),
  previous_secret_ends_at: time
    .nullable()
    .meta({ description: 'Until then, events are signed with the previous secret as well' }),
  created_at: time,
};
const webhook = z.object(webhookShape).meta({ id: 'Webhook' });
export type PortalWebhook = Wire<typeof webhook>;
export const portalWebhooks = z.array(webhook);
export const madeWebhook = z.object({ ...webhookShape, secret: z.string().meta({ description: 'Shown only once' }) });

export const rotatedSecret = z.object({
  secret: z.string().meta({ description: 'Shown only once' }),
  previous_secret_ends_at: time.nullable(),
});
export const replayedDeliveries = z.object({ replayed: z.int() });

const delivery = z
  .object({
    id: z.int(),
    event: z.string(),
    body: z.string(),
    state: z.enum(DELIVERY_STATES).meta({ description: '`failed`: no attempt succeeded; it can be repeated' }),
    attempts: z.int(),
    answer: z.string().nullable(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type PortalDelivery = Wire<typeof delivery>;
export const portalDeliveries = z.array(delivery);
