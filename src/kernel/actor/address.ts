/** Addresses of actors, and the only place that makes Redis keys from them. */
declare const brand: unique symbol;

/** An organisation or a company: the owner of rows, keys, numbers and events. Written product:id. */
export type Tenant = string & { readonly [brand]: 'Tenant' };

export interface Address {
  readonly tenant: Tenant;
  readonly kind: string;
  readonly id: string;
}

export function tenantOf(product: string, id: string | number): Tenant {
  return `${escapePart(product)}:${escapePart(String(id))}` as Tenant;
}

/** All keys of a tenant share one hash tag, so that one script can use them all, even on a Redis Cluster. */
export function redisKey(namespace: string, { tenant, kind, id }: Address): string {
  return `${namespace}:{${tenant}}:${kind}${id === '' ? '' : `:${escapePart(id)}`}`;
}

/** What needs no escaping, such as a number. */
const PLAIN = /^[\w.~-]*$/;

/** The address as text, for MySQL rows and logs. */
function escapePart(part: string): string {
  if (PLAIN.test(part)) return part;
  return encodeURIComponent(part).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
