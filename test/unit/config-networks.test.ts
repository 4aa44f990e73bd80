import { loadConfig } from '../../config';
import { mistakesIn } from '../support/config-mistakes';

test('Networks and single addresses of both families are read', () => {
  const { outboundNetworks } = loadConfig({ OUTBOUND_NETWORKS: '10.1.0.0/16, 127.0.0.1,fd00::/8,::1' });
  expect(outboundNetworks).toEqual(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1']);
});

test.each(['10.1.0.0/33', '10.1/16', 'fd00::/129', 'localhost', '10.1.0.0/', '10.1.0.0/8/8', '10.0.0.0/-1'])(
  'The value "%s" is refused as a network',
  (network) => {
    expect(mistakesIn({ OUTBOUND_NETWORKS: network })).toEqual([
      `OUTBOUND_NETWORKS must be networks such as 10.1.0.0/16, not "${network}"`,
    ]);
  },
);

test('Hosts with their addresses are read, and names become lower case', () => {
  const { outboundHosts } = loadConfig({ OUTBOUND_HOSTS: 'Hooks.Example=10.1.0.7,six.example=fd00::7' });
  expect(outboundHosts).toEqual({ 'hooks.example': '10.1.0.7', 'six.example': 'fd00::7' });
});

test('A host without an address is refused', () => {
  expect(mistakesIn({ OUTBOUND_HOSTS: 'a.example=b.example' })).toEqual([
    'OUTBOUND_HOSTS must be host=address pairs, not "a.example=b.example"',
  ]);
});
