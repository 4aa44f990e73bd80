/** Which organisation a host is of. */
import type { Kernel } from '../../kernel/kernel';
import { keptPlaces } from '../actors/realm-directory';
import { hostName, subdomainIn, type Place } from '../model/address';
import * as realmHosts from '../store/realm-hosts';
import { serverAddress } from './find-public-url';

export const findPlace = (kernel: Kernel, host: string): Promise<Place> =>
  keptPlaces(kernel).get(host, () => read(kernel, hostName(host)));

/** What is known of it at once. */
export const recallPlace = (kernel: Kernel, host: string): Place | undefined =>
  keptPlaces(kernel).peek(host, () => read(kernel, hostName(host)));

async function read(kernel: Kernel, host: string): Promise<Place> {
  const subdomain = subdomainIn(host, serverAddress(kernel).rootDomain);
  const { own, alone, named } = await realmHosts.at(kernel.mysql, host, subdomain);
  // An organisation that is alone answers to every name, so that nobody has to configure one.
  const found = own ?? alone;
  if (found !== null) return found;
  return subdomain === '' ? 'bare' : (named ?? 'nowhere');
}
