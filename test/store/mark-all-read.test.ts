import { markAllRead } from '../../src/chat/commands/reading/mark-read';
import { realmTenant, type RealmId } from '../../src/chat/model/organisation/realm';
import * as users from '../../src/chat/store/users/users';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { untilSomebodyWaits } from '../support/kernel/lock-waits';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

test('A message committed while a user marks all as read is marked too, because its event comes first', async () => {
  const [user] = await users.list(kernel.mysql, 1 as RealmId);
  const tenant = realmTenant(1 as RealmId);
  let marked: Promise<void> | undefined;
  await kernel.mysql.transaction(async (sender) => {
    await sender('kernel_counters').where({ tenant }).increment('record_number', 1).increment('event_number', 1);
    marked = markAllRead(kernel, user!);
    await untilSomebodyWaits(kernel.mysql);
  });
  await marked;
  const row = (await kernel.mysql('kernel_counters').where({ tenant }).first('record_number')) as {
    record_number: number;
  };
  const read = await kernel.mysql('chat_users').where({ id: user!.id }).first('read_id');
  expect(read).toEqual({ read_id: row.record_number });
});

test('Users who mark all as read at the same time do not deadlock', async () => {
  const readers = (await users.list(kernel.mysql, 1 as RealmId)).slice(0, 6);
  const errors: unknown[] = [];
  const note = (error: unknown, { sql }: { sql: string }) => {
    if (sql.includes('chat_read_exceptions')) errors.push(error);
  };
  kernel.mysql.on('query-error', note);
  for (let round = 0; round < 20; round += 1) await Promise.all(readers.map((user) => markAllRead(kernel, user)));
  kernel.mysql.off('query-error', note);
  expect(errors).toEqual([]);
});
