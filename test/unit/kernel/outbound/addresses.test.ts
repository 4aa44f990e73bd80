import {
  isIn,
  isPublicAddress,
  networksOf,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from '../../../../src/kernel/outbound/addresses';
import { isNeverReachable, reachable, resolveByTable, type Reach } from '../../../../src/kernel/outbound/resolve';

/** The first and the last address of each special network, and their neighbours. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private networks': ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'shared addresses of carriers': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '::'],
  'metadata of clouds': ['169.254.169.254', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fe80::a9fe:a9fe'],
  'link-local addresses': ['169.254.0.0', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1'],
  'unique local addresses': ['fc00::1', 'fdff:ffff::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved addresses and broadcast': ['240.0.0.0', '255.255.255.255', '4000::1', '100::1'],
  'mapped IPv4 addresses': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
  'tunnels that wrap IPv4': ['2002:7f00:1::', '2001::1', '192.88.99.1'],
  'what is no address': ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '::g'],
};

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '3ffd::1',
];

test.each(Object.entries(REFUSED))('The server does not connect to %s', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('The server connects to public addresses, including those next to a special network', () => {
  expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('The first address of every special network is refused', () => {
  const networks = [...Object.keys(SPECIAL_IPV4), ...Object.keys(SPECIAL_IPV6)];
  const firsts = networks.map((network) => network.split('/')[0]!);
  expect(firsts.filter(isPublicAddress)).toEqual([]);
});

test('A list of networks contains its networks and single addresses, and nothing else', () => {
  const networks = networksOf(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1']);
  const inside = ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd00:1::5', '::1'];
  const outside = ['10.2.0.0', '127.0.0.2', 'fd00:2::5', '::2', 'fe80::1%lo', 'localhost', ''];
  expect(inside.filter((address) => !isIn(networks, address))).toEqual([]);
  expect(outside.filter((address) => isIn(networks, address))).toEqual([]);
});

test('An address that is certainly refused is known without DNS, unless an allowed network may change it', () => {
  const refusedOf = (hosts: readonly string[], allowed: readonly string[], port = 443) =>
    hosts.filter((host) => isNeverReachable({ host, port }, networksOf(allowed)));
  const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fe80::1', 'localhost', 'a.LOCALHOST'];
  expect(refusedOf(inside, [])).toEqual(inside);
  expect(refusedOf(inside, ['127.0.0.1', '10.0.0.0/8'])).toEqual(['169.254.169.254', '::1', 'fe80::1']);
  expect(refusedOf(['1.1.1.1', 'inside.example', 'localhost.example', 'printer'], [])).toEqual([]);
  expect(refusedOf(['1.1.1.1', '10.0.0.1', 'mail.example'], ['10.0.0.0/8'], 25)).toEqual(['1.1.1.1']);
});

describe('Addresses of a host', () => {
  const signal = new AbortController().signal;
  const reachOf = (addresses: readonly string[], allowed: readonly string[] = []): Reach => ({
    resolve: () => Promise.resolve(addresses),
    allowed: networksOf(allowed),
  });

  test('Only the public addresses of a name are used', async () => {
    const reach = reachOf(['10.0.0.1', '1.1.1.1', '::1', '2606:4700:4700::1111']);
    expect(await reachable({ host: 'mixed.example', port: 443 }, reach, signal)).toEqual([
      '1.1.1.1',
      '2606:4700:4700::1111',
    ]);
  });

  test.each([
    ['a name with only private addresses', 'inside.example', ['10.0.0.1', 'fd00::1']],
    ['a private address itself', '192.168.0.1', []],
    ['a loopback address of IPv6 itself', '::1', []],
  ])('A request to %s is forbidden', async (_, host, addresses) => {
    const asked = reachable({ host, port: 80 }, reachOf(addresses), signal);
    await expect(asked).rejects.toMatchObject({ trouble: 'forbidden' });
  });

  test('A name without addresses is unknown', async () => {
    const asked = reachable({ host: 'nowhere.example', port: 80 }, reachOf([]), signal);
    await expect(asked).rejects.toMatchObject({ trouble: 'unknown-host' });
  });

  test.each([22, 25, 110, 143, 465, 587, 993])('Port %d of a public address is forbidden', async (port) => {
    const asked = reachable({ host: '1.1.1.1', port }, reachOf([]), signal);
    await expect(asked).rejects.toMatchObject({ trouble: 'forbidden' });
  });

  test.each([80, 443, 1024, 8443])('Port %d of a public address is allowed', async (port) => {
    expect(await reachable({ host: '1.1.1.1', port }, reachOf([]), signal)).toEqual(['1.1.1.1']);
  });

  test('A listed network is allowed with all its ports', async () => {
    const reach = reachOf(['10.1.2.3', '10.2.2.3'], ['10.1.0.0/16']);
    expect(await reachable({ host: 'inside.example', port: 25 }, reach, signal)).toEqual(['10.1.2.3']);
  });

  test('Names in the table of hosts are not looked up anywhere else', async () => {
    const asked: string[] = [];
    const resolve = resolveByTable({ 'known.example': '10.0.0.7' }, (host) => {
      asked.push(host);
      return Promise.resolve(['1.1.1.1']);
    });
    expect(await resolve('known.example', signal)).toEqual(['10.0.0.7']);
    expect(await resolve('other.example', signal)).toEqual(['1.1.1.1']);
    expect(await resolve('toString', signal)).toEqual(['1.1.1.1']);
    expect(asked).toEqual(['other.example', 'toString']);
  });
});
