/** The subdomain of an organisation, kept: it never changes. */
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { RealmId } from '../model/realm';
import * as realms from '../store/realms';

const kept = perKernel(() => new Map<RealmId, string>());

export async function findSubdomain(kernel: Kernel, realmId: RealmId): Promise<string> {
  const known = kept(kernel).get(realmId);
  if (known !== undefined) return known;
  const subdomain = await realms.subdomainOf(kernel.mysql, realmId);
  kept(kernel).set(realmId, subdomain);
  return subdomain;
}
