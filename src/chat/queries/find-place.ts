/** Which organisation a host is of. Kept for a moment on each node, so that requests need not ask. */
import { KeptAnswers } from '../../kernel/kept-answers';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { hostName, subdomainIn, type Place } from '../model/address';
import * as realmHosts from '../store/realm-hosts';
import { serverAddress } from './find-public-url';

/** A founded or moved organisation is found this much later at most, on nodes that did not do it. */
const KEPT_MS = 3000;
/** Anybody may ask for hosts that do not exist. */
const MOST_KEPT = 10_000;

const kept = perKernel(() => new KeptAnswers<string, Place>({ keptMs: KEPT_MS, most: MOST_KEPT }));

export const findPlace = (kernel: Kernel, host: string): Promise<Place> =>
  kept(kernel).get(host, () => read(kernel, hostName(host)));

/** What is known of it at once. */
export const recallPlace = (kernel: Kernel, host: string): Place | undefined =>
  kept(kernel).peek(host, () => read(kernel, hostName(host)));

/** For whoever founds or moves an organisation: their own process knows at once. */
export function forgetPlaces(kernel: Kernel): void {
  kept(kernel).forgetAll();
}

async function read(kernel: Kernel, host: string): Promise<Place> {
  const subdomain = subdomainIn(host, serverAddress(kernel).rootDomain);
  const { own, alone, named } = await realmHosts.at(kernel.mysql, host, subdomain);
  // An organisation that is alone answers to every name, so that nobody has to configure one.
  const found = own ?? alone;
  if (found !== null) return found;
  return subdomain === '' ? 'bare' : (named ?? 'nowhere');
}
