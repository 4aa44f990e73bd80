import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openSockets } from '../../src/kernel/socket/server';
import { openCluster, type Cluster } from '../support/cluster';

let cluster: Cluster;
beforeAll(async () => void (cluster = await openCluster()));
afterAll(() => cluster.close());

test('a node that ends before Redis has heard of its sockets ends without a fault', async () => {
  const kernel = await cluster.kernel();
  // Nobody listens there: the adapter's subscriptions wait until the connection is given up.
  const nowhere = new Redis({ host: '127.0.0.1', port: 1, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  nowhere.on('error', () => {});
  jest.spyOn(kernel.redis, 'blocking').mockReturnValue(nowhere);
  openSockets(kernel, createServer(), cluster.config(), () => {});
  const rejections: unknown[] = [];
  const ping = nowhere.ping().catch((error: Error) => rejections.push(error.message));
  nowhere.disconnect();
  await ping;
  expect(rejections).toEqual(['Connection is closed.']);
  // A rejection that nobody looks at fails whatever runs when it is found.
  await wait(50);
});
