/** Schemas of what administrators look after: domains, groups of default streams, exports. */
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
