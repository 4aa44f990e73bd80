/** Schemas of events about the organisation's administration. */
import { z } from 'zod';
import { realmDomain, realmExport, streamGroup } from './organisation';

const domainsType = { type: z.literal('realm_domains') };

export const organisationEvents = {
  RealmDeactivatedEvent: z.object({ type: z.literal('realm'), op: z.literal('deactivated'), realm_id: z.int() }),
  RealmDomainEvent: z.object({ ...domainsType, op: z.enum(['add', 'change']), realm_domain: realmDomain }),
  RealmDomainRemovedEvent: z.object({ ...domainsType, op: z.literal('remove'), domain: z.string() }),
  RealmExportEvent: z.object({ type: z.literal('realm_export'), exports: z.array(realmExport) }),
  DefaultStreamGroupsEvent: z.object({
    type: z.literal('default_stream_groups'),
    default_stream_groups: z.array(streamGroup),
  }),
};
