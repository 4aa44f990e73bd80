/** Which organisation a host is of. */
import type { Kernel } from '../../kernel/kernel';
import { keptPlaces } from '../actors/realm-directory';
import { askedHost, subdomainIn, type Place } from '../model/address';
import * as realmHosts from '../store/realm-hosts';
import { serverAddress } from './find-public-url';

export function findPlace(kernel: Kernel, host: string): Promise<Place> {
  const name = askedHost(host);
  return keptPlaces(kernel).get(name, () => read(kernel, name));
}

/** What is known at once, of a host as compared. */
export const recallPlace = (kernel: Kernel, name: string): Place | undefined =>
  keptPlaces(kernel).peek(name, () => read(kernel, name));

async function read(kernel: Kernel, host: string): Promise<Place> {
  const subdomain = subdomainIn(host, serverAddress(kernel).rootDomain);
  const { own, alone, named } = await realmHosts.at(kernel.mysql, host, subdomain);
  // An organisation that is alone answers to every name, so that nobody has to configure one.
  const found = own ?? alone;
  if (found !== null) return found;
  return subdomain === '' ? 'bare' : (named ?? 'nowhere');
}
