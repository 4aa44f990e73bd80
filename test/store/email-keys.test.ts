import { createUser } from '../../src/chat/commands/users/create-user';
import { createRealm } from '../../src/chat/commands/organisation/create-realm';
import { down, up } from '../../src/chat/store/migrations/20261115000400_compare_emails_exactly';
import * as telephony from '../../src/telephony/store/migrations/20261115000410_compare_work_emails_exactly';
import type { Kernel } from '../../src/kernel/kernel';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { findUser } from '../../src/chat/queries/users/find-user';
import { openCluster, type Cluster } from '../support/cluster';
import { chatOf } from '../support/parts';

let cluster: Cluster;
let kernel: Kernel;
let realmId: RealmId;
const add = async (email: string) =>
  (await createUser(kernel, { realmId, email, fullName: 'Somebody', role: 'member' })).id;
const keys = () => kernel.mysql('chat_users').orderBy('id').pluck('email_key') as unknown as Promise<string[]>;

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  realmId = await createRealm(chatOf(kernel), { name: 'One', description: '', subdomain: 'one' });
});
afterAll(() => cluster.close());

test('The migration names accounts that would become equal, and changes nothing', async () => {
  const [first, second] = [await add('ann@example.com'), await add('bo@example.com')];
  await down(kernel.mysql);
  // The collation is older than the sign and keeps these apart.
  await kernel.mysql('chat_users').where({ id: second }).update({ email: 'ann\u{1f16a}@example.com' });
  await kernel.mysql('chat_users').where({ id: first }).update({ email: 'annmc@example.com' });
  await expect(up(kernel.mysql)).rejects.toThrow(
    new RegExp(
      `"annmc@example.com" \\(id ${first}, realm_id ${realmId}\\) and "ann\u{1f16a}@example.com" \\(id ${second},`,
    ),
  );
  expect(await kernel.mysql.schema.hasColumn('chat_users', 'email_key')).toBe(false);

  await kernel.mysql('chat_users').where({ id: second }).update({ email: 'Bo@Example.com' });
  await up(kernel.mysql);
  expect(await keys()).toEqual(['annmc@example.com', 'bo@example.com']);
  expect((await findUser(kernel, realmId, 'bo@example.com'))?.email).toBe('Bo@Example.com');
});

test('An account that the previous release adds while it still runs is found too', async () => {
  const id = await add('late@example.com');
  await kernel.mysql('chat_users').where({ id }).update({ email_key: null });
  expect((await findUser(kernel, realmId, 'Late@example.com'))?.id).toBe(id);
});

test('The migration of contacts can be rolled back and run again', async () => {
  await telephony.down(kernel.mysql);
  await telephony.up(kernel.mysql);
  expect(await kernel.mysql.schema.hasColumn('tel_contacts', 'work_email_key')).toBe(true);
});
