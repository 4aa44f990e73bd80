import type { Namespace, Socket } from '../../../src/kernel/socket/server';
import { CompanyFeed, type Member } from '../../../src/telephony/socket/company-feed';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

test('A socket is refused by a feed that was closed while it authenticated, so that its client reconnects', async () => {
  const kernel = await cluster.kernel();
  const feed = new CompanyFeed(kernel, cluster.config(), {} as Namespace, 1 as never);
  await feed.open();
  await feed.close();
  const socket = { join: jest.fn() } as unknown as Socket;
  const member: Member = { socket, keyHash: 'hash', contactId: 1 as never, after: undefined, cut: () => {} };
  const welcome = jest.fn();
  await expect(feed.admit(member, welcome)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(welcome).not.toHaveBeenCalled();
  expect(feed.members.size).toBe(0);
});
