/** Where an organisation is reached, for links that lead back to it. */
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { keptAddresses } from '../actors/realm-directory';
import { realmUrl, type RealmAddress, type ServerAddress } from '../model/address';
import type { RealmId } from '../model/realm';
import * as realmHosts from '../store/realm-hosts';

/** Empty in processes that serve nobody. */
const servers = perKernel<{ address: ServerAddress }>(() => ({ address: { publicUrl: '', rootDomain: '' } }));

/** Said once, when the product is opened. */
export function setServerAddress(kernel: Kernel, { publicUrl, rootDomain }: ServerAddress): void {
  servers(kernel).address = { publicUrl: publicUrl.replace(/\/$/, ''), rootDomain };
}

export const serverAddress = (kernel: Kernel): ServerAddress => servers(kernel).address;

export async function findPublicUrl(kernel: Kernel, realmId: RealmId): Promise<string> {
  return realmUrl(serverAddress(kernel), await findAddress(kernel, realmId));
}

/** What the organisation is called where senders are told apart by it. */
export async function findSubdomain(kernel: Kernel, realmId: RealmId): Promise<string> {
  return (await findAddress(kernel, realmId)).subdomain;
}

/** The same, if it is there already. */
export const heldSubdomain = (kernel: Kernel, realmId: RealmId): string | undefined =>
  keptAddresses(kernel).held(realmId)?.subdomain;

const findAddress = (kernel: Kernel, realmId: RealmId): Promise<RealmAddress> =>
  keptAddresses(kernel).get(realmId, () => realmHosts.addressOf(kernel.mysql, realmId));
