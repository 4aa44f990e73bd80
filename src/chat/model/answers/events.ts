/** The schema of an event, and of responses with events. */
import { z } from 'zod';
import { messageEvents } from './message-events';
import { realmDomain, realmExport, streamGroup } from './organisation';
import { peopleEvents } from './people-events';
import { registerAnswer } from './register';
import { streamEvents } from './stream-events';

const domainsType = { type: z.literal('realm_domains') };

/** About the organisation's administration. */
const organisationEvents = {
  RealmDeactivatedEvent: z.object({ type: z.literal('realm'), op: z.literal('deactivated'), realm_id: z.int() }),
  RealmDomainEvent: z.object({ ...domainsType, op: z.enum(['add', 'change']), realm_domain: realmDomain }),
  RealmDomainRemovedEvent: z.object({ ...domainsType, op: z.literal('remove'), domain: z.string() }),
  RealmExportEvent: z.object({ type: z.literal('realm_export'), exports: z.array(realmExport) }),
  DefaultStreamGroupsEvent: z.object({
    type: z.literal('default_stream_groups'),
    default_stream_groups: z.array(streamGroup),
  }),
};

const id = z.int().meta({ description: 'Its number in the queue' });

/** By type and op. Each schema has its own name in the OpenAPI document. */
const events = Object.entries({ ...messageEvents, ...peopleEvents, ...streamEvents, ...organisationEvents }).map(
  ([name, schema]) => (schema as z.ZodObject).extend({ id }).meta({ id: name }),
);

const event = z.union(events).meta({ id: 'Event', description: 'An event whose kind is given by type and op' });

const polledAnswer = z.object({ queue_id: z.string(), events: z.array(event) });

/** Without a queue_id, the poll registers a queue first. */
export const eventsAnswer = z.union([polledAnswer, registerAnswer.extend({ events: z.array(event) })]);
