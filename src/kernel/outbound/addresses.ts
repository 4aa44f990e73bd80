/** Which addresses the server may connect to for users: public ones, and networks that the operator has listed. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** From IANA's registries of special-purpose addresses, plus cloud metadata addresses outside them. */
export const SPECIAL_IPV4: Readonly<Record<string, string>> = {
  '0.0.0.0/8': 'this network',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'shared by carriers; metadata of Alibaba Cloud',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'metadata of Azure',
  '169.254.0.0/16': 'link-local; metadata of most clouds',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'protocol assignments; metadata of Oracle Cloud',
  '192.0.2.0/24': 'documentation',
  '192.88.99.0/24': 'relays of 6to4',
  '192.168.0.0/16': 'private',
  '198.18.0.0/15': 'benchmarks',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved; broadcast',
};

/** Everything outside is special: loopback, mapped IPv4, NAT64, unique local, link-local, multicast. */
const GLOBAL_IPV6 = '2000::/3';

/** Special networks inside it. */
export const SPECIAL_IPV6: Readonly<Record<string, string>> = {
  '2001::/23': 'protocol assignments: Teredo, benchmarks, ORCHID',
  '2001:db8::/32': 'documentation',
  '2002::/16': '6to4, which wraps any IPv4 address',
  '3ffe::/16': 'the former 6bone',
  '3fff::/20': 'documentation',
};

const specialIpv4 = networksOf(Object.keys(SPECIAL_IPV4));
const globalIpv6 = networksOf([GLOBAL_IPV6]);
const specialIpv6 = networksOf(Object.keys(SPECIAL_IPV6));

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4');
  return isPlainIpv6(address) && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

/** Networks such as `10.1.0.0/16` or `fd00::/8`, or single addresses. */
export function networksOf(written: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const network of written) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    networks.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return networks;
}

export const isIn = (networks: BlockList, address: string): boolean =>
  isIPv4(address) ? networks.check(address, 'ipv4') : isPlainIpv6(address) && networks.check(address, 'ipv6');

/** An address with a zone is link-local. */
const isPlainIpv6 = (address: string): boolean => isIPv6(address) && !address.includes('%');
