// Numbered events between processes: through the Socket.IO adapter, or from MySQL if the adapter lost them.
import { createServer } from 'node:http';
import { tenantOf, type Tenant } from '../../../src/kernel/actor/address';
import { encodeRow } from '../../../src/kernel/event-log/codec';
import { LogFollower, type LogSource } from '../../../src/kernel/event-log/follower';
import { socketEvent } from '../../../src/kernel/event-log/socket-events';
import { headsInOutbox, logInOutbox } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';
import { openSockets } from '../../../src/kernel/socket/server';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { until } from '../../support/until';

let cluster: Cluster;
/** Two nodes, and a process without sockets. */
let one: Kernel;
let two: Kernel;
let worker: Kernel;

/** A kernel with sockets, once it receives the events of other processes. */
async function openNode(): Promise<Kernel> {
  const kernel = await cluster.kernel();
  openSockets(kernel, createServer(), cluster.config(), () => {});
  const probe = tenantOf('test', `probe-${Math.random()}`);
  const heard: unknown[] = [];
  const stop = kernel.socketEvents.follow(probe, (row) => heard.push(row));
  await until(() => {
    worker.socketEvents.spread(probe, [rowText(1, 'probe')]);
    return heard.length > 0;
  });
  stop();
  return kernel;
}

beforeAll(async () => {
  // Nothing is swept unless a test does it.
  cluster = await openCluster({ SWEEP_INTERVAL_MS: '60000' });
  worker = await cluster.kernel();
  one = await openNode();
  two = await openNode();
});
afterAll(() => cluster.close());

const rowText = (number: number, body: string) => encodeRow({ number, events: 1, first_record: null, body });
const send = (kernel: Kernel, tenant: Tenant, body: string) =>
  kernel.transaction(async (tx) => tx.deliver(socketEvent(tenant, body)));

/** Commits without publishing, like a process that dies in between. */
async function commitUnpublished(kernel: Kernel, tenant: Tenant, ...bodies: string[]): Promise<void> {
  const publish = jest.spyOn(kernel.outbox, 'publish').mockResolvedValue();
  for (const body of bodies) await send(kernel, tenant, body);
  publish.mockRestore();
}

async function follow(kernel: Kernel, tenant: Tenant, source: LogSource = logInOutbox(kernel, tenant)) {
  const heard: string[] = [];
  const follower = new LogFollower(kernel, source, (events) => {
    for (const { number, body } of events) heard.push(`${number} ${body}`);
  });
  await follower.open();
  return { follower, heard };
}

test('Events of nodes and of a process without sockets reach every node, each once and in order', async () => {
  const tenant = tenantOf('test', 'order');
  await send(worker, tenant, 'before');
  const followers = [await follow(one, tenant), await follow(two, tenant)];
  const senders = [one, two, worker];
  await Promise.all(Array.from({ length: 45 }, (_, index) => send(senders[index % 3]!, tenant, 'x')));
  for (const { heard, follower } of followers) {
    await until(() => heard.length >= 45);
    expect(heard).toEqual(Array.from({ length: 45 }, (_, index) => `${index + 2} x`));
    await follower.close();
  }
});

test('A node receives only events of the tenants it follows, until it closes the follower', async () => {
  const [tenant, other] = [tenantOf('test', 'followed'), tenantOf('test', 'not-followed')];
  const { heard, follower } = await follow(two, tenant);
  const witness = await follow(two, other);
  await send(one, tenant, 'a');
  await until(() => heard.length === 1);
  await follower.close();
  await send(one, tenant, 'b');
  await send(one, other, 'c');
  await until(() => witness.heard.length === 1);
  expect([heard, witness.heard]).toEqual([['1 a'], ['1 c']]);
  await witness.follower.close();
});

test('A node receives its own events even if none can be broadcast, and other nodes read them by their number', async () => {
  const tenant = tenantOf('test', 'alone');
  const [own, others] = [await follow(one, tenant), await follow(two, tenant)];
  const spread = jest.spyOn(one.socketEvents, 'spread').mockReturnValue();
  await send(one, tenant, 'a');
  await until(() => own.heard.length === 1);
  spread.mockRestore();
  expect(others.heard).toEqual([]);
  await others.follower.compare((await headsInOutbox(two.mysql, [tenant])).get(tenant)!);
  expect(others.heard).toEqual(['1 a']);
  await Promise.all([own.follower.close(), others.follower.close()]);
});

test('Events that arrive out of order are put in order without reading MySQL', async () => {
  const tenant = tenantOf('test', 'disorder');
  const source = logInOutbox(one, tenant);
  const read = jest.spyOn(source, 'after');
  const { heard, follower } = await follow(one, tenant, source);
  for (const number of [3, 2, 5, 1, 4, 2]) one.socketEvents.receive(tenant, [rowText(number, 'x')]);
  expect(heard).toEqual(['1 x', '2 x', '3 x', '4 x', '5 x']);
  expect(read).not.toHaveBeenCalled();
  await follower.close();
});

test('A company event that does not arrive is read from MySQL by its number', async () => {
  const tenant = tenantOf('test', 'missing');
  const { heard, follower } = await follow(two, tenant);
  await commitUnpublished(worker, tenant, 'a', 'b', 'c');
  two.socketEvents.receive(tenant, [rowText(3, 'c')]);
  await until(() => heard.length === 3);
  expect(heard).toEqual(['1 a', '2 b', '3 c']);
  await follower.close();
});

test('Events that are published again, by a sweeper or by MySQL before the adapter, are received once', async () => {
  const tenant = tenantOf('test', 'again');
  const { heard, follower } = await follow(two, tenant);
  await commitUnpublished(worker, tenant, 'a', 'b');
  await follower.compare(2);
  const rows = await one.mysql('kernel_outbox').where({ tenant }).select('id', 'publisher', 'tenant', 'number', 'body');
  await one.outbox.publish(rows);
  await send(worker, tenant, 'c');
  await until(() => heard.length === 3);
  expect(heard).toEqual(['1 a', '2 b', '3 c']);
  await follower.close();
});

test('A node leaves out events of an unknown version and continues with the next event', async () => {
  const tenant = tenantOf('test', 'versions');
  const { heard, follower } = await follow(two, tenant);
  await commitUnpublished(worker, tenant, '\u001Cof a later release');
  two.socketEvents.receive(tenant, ['v9 1 1  x']);
  await until(() => follower.head === 1);
  await send(worker, tenant, 'b');
  await until(() => heard.length === 1);
  expect(heard).toEqual(['2 b']);
  await follower.close();
});
