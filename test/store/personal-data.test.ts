import { createRealm } from '../../src/chat/commands/organisation/realms';
import { createUser } from '../../src/chat/commands/users/create-user';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import type { User } from '../../src/chat/model/users/user';
import { findUser } from '../../src/chat/queries/users/users';
import * as invitations from '../../src/chat/store/accounts/invitations';
import * as mails from '../../src/chat/store/mail/mails';
import { forget, mailsTo } from '../../src/chat/store/users/personal-data';
import type { Kernel } from '../../src/kernel/kernel';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { chatOf } from '../support/kernel/parts';

let cluster: Cluster;
let kernel: Kernel;
let realmId: RealmId;

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  realmId = await createRealm(chatOf(kernel), { name: 'One', description: '', subdomain: 'one' });
});
afterAll(() => cluster.close());

async function add(email: string): Promise<User> {
  await createUser(kernel, { realmId, email, fullName: 'Somebody', role: 'member' });
  return (await findUser(kernel.mysql, realmId, email))!;
}

test("Mails and invitations to an address that only looks like a user’s are not in that user's data", async () => {
  const [ann, other] = [await add('ann@example.com'), await add('ánn@example.com')];
  const addresses = [ann.email, 'Ann@example.com', other.email, 'ⓐnn@example.com'];
  for (const [at, recipient] of addresses.entries()) {
    await mails.insert(kernel.mysql, { realmId, recipient, about: { kind: 'password-reset' } });
    const token = { nonce: `nonce ${at}`, tokenHash: String(at).repeat(64) };
    const draft = { realmId, inviterId: other.id, role: 'member', streamIds: [], token, minutes: 60 } as const;
    await invitations.insert(kernel.mysql, { ...draft, email: recipient });
  }
  expect(await mailsTo(kernel.mysql, ann)).toHaveLength(2);
  await kernel.transaction(({ db }) => forget(db, ann));
  const left = [other.email, 'ⓐnn@example.com'];
  expect(await kernel.mysql('chat_mails').orderBy('id').pluck('recipient')).toEqual(left);
  expect(await kernel.mysql('chat_invitations').orderBy('id').pluck('email')).toEqual(left);
});
