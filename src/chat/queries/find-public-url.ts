/** Where an organisation is reached, for links that lead back to it. Kept for a moment. */
import { KeptAnswers } from '../../kernel/kept-answers';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { realmUrl, type RealmAddress, type ServerAddress } from '../model/address';
import type { RealmId } from '../model/realm';
import * as realmHosts from '../store/realm-hosts';

/** An organisation that moved is written with its new address this much later at most. */
const KEPT_MS = 3000;
const MOST_KEPT = 10_000;

/** Empty in processes that serve nobody. */
const servers = perKernel<{ address: ServerAddress }>(() => ({ address: { publicUrl: '', rootDomain: '' } }));
const kept = perKernel(() => new KeptAnswers<RealmId, RealmAddress>({ keptMs: KEPT_MS, most: MOST_KEPT }));

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

/** For whoever moves an organisation: their own process knows at once. */
export function forgetAddress(kernel: Kernel, realmId: RealmId): void {
  kept(kernel).forget(realmId);
}

const findAddress = (kernel: Kernel, realmId: RealmId): Promise<RealmAddress> =>
  kept(kernel).get(realmId, () => realmHosts.addressOf(kernel.mysql, realmId));
