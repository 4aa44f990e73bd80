/** Pictures are loaded from this server alone: another one would learn who reads, and the policy forbids it. */

const OWN = /^\/(?![/\\])/;
const ELSEWHERE = /^https?:\/\//i;

/** A lone surrogate cannot be encoded. */
const encoded = (address: string): string => encodeURIComponent(address.replaceAll(/\p{Cs}/gu, '\ufffd'));

/** The path at which this server shows a picture; undefined if it shows none at the address. */
export function ownPicture(address: string): string | undefined {
  if (OWN.test(address)) return address;
  return ELSEWHERE.test(address) ? `/thumbnail?url=${encoded(address)}&size=thumbnail` : undefined;
}
