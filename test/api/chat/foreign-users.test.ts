import { createRealm } from '../../../src/chat/commands/create-realm';
import { createUser } from '../../../src/chat/commands/create-user';
import { removeLinkifier } from '../../../src/chat/commands/edit-linkifiers';
import { removeProfileField } from '../../../src/chat/commands/edit-profile-fields';
import { retireRealmEmoji } from '../../../src/chat/commands/edit-realm-emoji';
import { createUserGroup, removeUserGroup, updateGroupMembers } from '../../../src/chat/commands/edit-user-groups';
import { moveRealm } from '../../../src/chat/commands/move-realm';
import { notifyTyping } from '../../../src/chat/commands/notify-typing';
import { setPresence } from '../../../src/chat/commands/set-presence';
import { updateBot } from '../../../src/chat/commands/update-bot';
import { updateProfile } from '../../../src/chat/commands/update-profile';
import { updateUser } from '../../../src/chat/commands/update-user';
import { removeAttachment } from '../../../src/chat/commands/upload-file';
import type { User } from '../../../src/chat/model/user';
import { getRealm } from '../../../src/chat/queries/find-realm';
import { getBot } from '../../../src/chat/queries/get-bot';
import { getUserForAdmin } from '../../../src/chat/queries/get-user';
import { openFile } from '../../../src/chat/queries/list-attachments';
import { getPresence, listPresences } from '../../../src/chat/queries/list-presences';
import { listMembers } from '../../../src/chat/queries/list-users';
import { listLinkifiers, listRealmEmoji } from '../../../src/chat/queries/list-realm-emoji';
import { listUserGroups } from '../../../src/chat/queries/list-user-groups';
import * as users from '../../../src/chat/store/users';
import type { Kernel } from '../../../src/kernel/kernel';
import { openCluster, type Cluster, type TestNode } from '../../support/cluster';
import { demoPeople, type DemoPeople } from '../../support/chat-people';
import { toldBy } from '../../support/told';

let cluster: Cluster;
let node: TestNode;
let kernel: Kernel;
let people: DemoPeople;
/** An administrator, of another organisation on the same server. */
let stranger: User;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  kernel = node.kernel;
  people = await demoPeople(node);
  const elsewhere = { subdomain: 'elsewhere', name: 'Elsewhere', description: '' };
  await moveRealm(kernel, (await getRealm(kernel)).id, { subdomain: 'here', hosts: ['127.0.0.1'] });
  const realmId = await createRealm(kernel, elsewhere);
  const account = { realmId, email: 'stranger@example.com', fullName: 'Sam Stranger', role: 'admin' as const };
  const { id } = await createUser(kernel, account);
  stranger = (await users.byId(kernel.mysql, realmId, id))!;
});
afterAll(() => cluster.close());

describe('An administrator of another organisation', () => {
  test('finds nobody of this one', async () => {
    for (const look of [
      getUserForAdmin(kernel, stranger, people.member.id),
      updateUser(kernel, stranger, people.member.id, { fullName: 'Taken Over' }),
      getPresence(kernel, stranger, 'member@example.com'),
    ]) {
      await expect(look).rejects.toThrow('No such user');
    }
    await expect(getBot(kernel, stranger, people.helper.id)).rejects.toThrow('No such bot');
    await expect(updateBot(kernel, stranger, people.helper.id, { fullName: 'Mine' })).rejects.toThrow('No such bot');
    await expect(notifyTyping(kernel, stranger, 'start', [people.member.id])).rejects.toThrow('Invalid user ID');
    await expect(notifyTyping(kernel, stranger, 'start', ['member@example.com'])).rejects.toThrow('Invalid email');
    const { members } = await listMembers(kernel, stranger.realmId, { clientAvatar: false, withProfiles: true });
    expect(members.map(({ email }) => email)).toEqual(['stranger@example.com']);
  });

  test('touches nothing of this one', async () => {
    const { owner, member } = people;
    await member.post('/user_groups/create', { name: 'ours', description: '', members: `[${member.id}]` });
    const [group] = (await member.get('/user_groups')).body.user_groups;
    const field = (await owner.post('/realm/profile_fields', { name: 'Phone', field_type: '1' })).body.id;
    const form = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://example.com/%(id)s' };
    const filter = (await owner.post('/realm/filters', form)).body.id;
    const file = new FormData();
    file.append('f', new Blob(['secret']), 'a.txt');
    const { uri } = (await member.ask('/user_uploads', { method: 'POST', raw: file })).body;
    const [attachment] = (await member.get('/attachments')).body.attachments;

    await expect(removeUserGroup(kernel, stranger, group.id)).rejects.toThrow('Invalid user group');
    const edit = { add: [stranger.id], remove: [] };
    await expect(updateGroupMembers(kernel, stranger, group.id, edit)).rejects.toThrow('Invalid user group');
    const draft = { name: 'theirs', description: '', members: [member.id] };
    await expect(createUserGroup(kernel, stranger, draft)).rejects.toThrow('Invalid user ID');
    await expect(removeProfileField(kernel, stranger, field)).rejects.toThrow('not found');
    await expect(updateProfile(kernel, stranger, [{ id: field, value: 'x' }])).rejects.toThrow('not found');
    await expect(removeLinkifier(kernel, stranger, filter)).rejects.toThrow('Filter not found');
    await expect(retireRealmEmoji(kernel, stranger, 'smile')).rejects.toThrow('does not exist');
    await expect(openFile(kernel, stranger, uri.split('/')[4])).rejects.toThrow('File not found.');
    await expect(removeAttachment(kernel, stranger, attachment.id)).rejects.toThrow('Invalid attachment');
    expect(await listUserGroups(kernel, stranger.realmId)).toEqual([]);
    expect(await listLinkifiers(kernel, stranger.realmId)).toEqual([]);
    expect(await listRealmEmoji(kernel, stranger.realmId)).toEqual({});
  });

  test('is heard of only at home', async () => {
    await people.member.post('/users/me/presence', { status: 'active', ping_only: 'true' });
    await setPresence(kernel, stranger, { status: 'active', client: 'website' });
    expect(Object.keys(await listPresences(kernel, stranger.realmId))).toEqual(['stranger@example.com']);
    const { presences } = (await people.owner.get('/realm/presence')).body;
    expect(Object.keys(presences)).toEqual(['member@example.com']);
    await toldBy(kernel, () => notifyTyping(kernel, stranger, 'start', [stranger.id]));
    const rows = (await kernel.mysql('kernel_outbox').where('body', 'like', '%stranger@%').select('tenant')) as {
      tenant: string;
    }[];
    expect(new Set(rows.map(({ tenant }) => tenant))).toEqual(new Set([`chat:${stranger.realmId}`]));
  });
});

test('the same address may be somebody in each organisation', async () => {
  const twin = {
    realmId: stranger.realmId,
    email: 'member@example.com',
    fullName: 'Max Twin',
    role: 'member' as const,
  };
  const { key } = await createUser(kernel, twin);
  expect(key).toHaveLength(32);
  expect((await people.member.get('/users/me')).body.full_name).toBe('Max Member');
});
