// Clients of every version and transport behind the load balancer we ship, while the node of their connections is
// killed.
import { KEY_ONE } from '../../support/telephony/companies';
import { killAll } from '../../support/processes/processes';
import { closeSockets, type Transport, type Version } from '../../support/http/sockets';
import { followTexts } from '../../support/telephony/texting-client';
import { expectReceived, openTextingCluster, type TextingCluster } from '../../support/telephony/texting-cluster';
import { startHaproxy, type Haproxy } from '../balancers/haproxy-process';

let texting: TextingCluster;
let proxy: Haproxy;

beforeAll(async () => {
  texting = await openTextingCluster({});
  proxy = await startHaproxy(texting.nodes, '/readyz');
});
afterAll(async () => {
  closeSockets();
  await killAll();
  await proxy?.stop();
  await texting.close();
});

const versions: readonly Version[] = ['v2', 'v3', 'v4'];
const transports: readonly Transport[] = ['websocket', 'polling'];

test('Clients of every kind move to the other node when theirs dies, and receive every event once', async () => {
  const kinds = versions.flatMap((version) => transports.map((transport) => ({ version, transport })));
  const clients = await Promise.all(kinds.map((kind) => followTexts(() => [proxy.url], KEY_ONE, 0, kind)));
  const said = Array.from({ length: 24 }, (_, index) => `proxied ${index}`);
  for (const [index, text] of said.entries()) {
    if (index === 12) texting.nodes[0]!.kill('SIGKILL');
    await texting.say(text);
  }
  await expectReceived(clients, said);
  // Connections are balanced in turn, so half of them were on this node.
  expect(clients.filter((client) => client.entries() > 1).length).toBeGreaterThan(0);
  expect(clients.filter((client) => client.entries() === 1).length).toBeGreaterThan(0);
  for (const client of clients) client.stop();
});
