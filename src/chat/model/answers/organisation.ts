/** Schemas of the organisation's administration: domains, groups of default streams, exports. */
import { z } from 'zod';
import { stream } from './streams';

export const realmDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() }).meta({ id: 'RealmDomain' });
export const realmDomainsAnswer = z.object({ domains: z.array(realmDomain) });
export const newDomainAnswer = z.object({
  new_domain: z.tuple([z.int(), z.string()]).meta({ description: 'Id and domain' }),
});

export const streamGroup = z
  .object({ id: z.int(), name: z.string(), description: z.string(), streams: z.array(stream) })
  .meta({ id: 'DefaultStreamGroup' });

const seconds = z.number().nullable().meta({ description: 'Seconds since 1970' });
export const realmExport = z
  .object({
    id: z.int(),
    export_time: z.number().meta({ description: 'Seconds since 1970' }),
    acting_user_id: z.int(),
    export_url: z.string().nullable().meta({ description: 'Null if there is no archive' }),
    deleted_timestamp: seconds,
    failed_timestamp: seconds,
    pending: z.boolean(),
    progress: z.int().meta({ description: 'Percent' }),
    size: z.int().nullable().meta({ description: 'Bytes of the archive' }),
    sha256: z.string().nullable().meta({ description: 'Hash of the archive, in hexadecimal' }),
  })
  .meta({ id: 'RealmExport' });
export const realmExportsAnswer = z.object({ exports: z.array(realmExport) });
