import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PbxDrivers } from '../../../src/telephony/actors/pbx-instance/drivers';
import type { Instance } from '../../../src/telephony/model/sites/site';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;
let rpc: Server;
let calls = 0;

beforeAll(async () => {
  cluster = await openCluster();
  // Never responds.
  rpc = createServer(() => (calls += 1)).listen(0, '127.0.0.1');
  await once(rpc, 'listening');
});
afterAll(async () => {
  rpc.closeAllConnections();
  rpc.close();
  await cluster.close();
});

test('A Kamailio whose RPC hangs delays a new secret and a deletion by seconds, not by the deadline once more', async () => {
  const kernel = await cluster.kernel();
  await kernel.mysql.raw(
    'CREATE TABLE subscriber (username VARCHAR(64), domain VARCHAR(64), password VARCHAR(64), ha1 VARCHAR(128), ' +
      'ha1b VARCHAR(128), operation VARCHAR(64), UNIQUE (username, domain))',
  );
  const details = {
    external_domain: 'sip.example.com',
    rpc: `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`,
  };
  const address = cluster.environment['DATABASE_URL']!;
  const instance = { uuid: 'x', backend: 'kamailio', address, details } as unknown as Instance;
  const driver = new PbxDrivers(kernel).of(instance);
  const context = { key: 'k', deadlineMs: 3_600_000 };
  await driver.create({ number: 700, secret: 'first' }, context);
  await driver.update({ number: 700, secret: 'second' }, context);
  await driver.delete(700, context);
  expect(calls).toBe(2);
  expect(await driver.get(700, context)).toBeUndefined();
});
