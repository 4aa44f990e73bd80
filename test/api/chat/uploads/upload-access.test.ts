import { demoPeople, type Caller, type DemoPeople } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const upload = async (by: Caller, words = 'words'): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([words]), 'notes.txt');
  return (await by.ask('/user_uploads', { method: 'POST', raw: form })).body.uri;
};
const say = async (by: Caller, to: string, content: string): Promise<number> => {
  const { body, text } = await by.post('/messages', { type: 'stream', to, topic: 'files', content });
  if (body.result !== 'success') throw new Error(text);
  return body.id;
};
const tell = async (by: Caller, to: Caller, content: string): Promise<number> =>
  (await by.post('/messages', { type: 'private', to: JSON.stringify([to.email]), content })).body.id;
/** The users that can see the file. */
const viewers = async (uri: string): Promise<string[]> => {
  const seen = [];
  for (const [name, by] of Object.entries(people) as [string, Caller][]) {
    const { status, body } = await by.ask(uri, {});
    if (status === 200) seen.push(name);
    else expect({ status, body }).toEqual({ status: 404, body: { result: 'error', msg: 'File not found.' } });
  }
  return seen;
};
const subscribe = async (by: Caller, name: string, others: readonly Caller[], more: Record<string, string>) => {
  const principals = JSON.stringify([by, ...others].map(({ email }) => email));
  const form = { subscriptions: JSON.stringify([{ name }]), principals, ...more };
  expect((await by.post('/users/me/subscriptions', form)).body.result).toBe('success');
};

describe('Access to uploaded files', () => {
  test('Only its owner can see an uploaded file until a message links it', async () => {
    expect(await viewers(await upload(people.member))).toEqual(['member']);
  });

  test('A file in a public stream is visible to members, and to guests who are subscribed', async () => {
    const [heard, silent] = [await upload(people.member), await upload(people.member)];
    await say(people.member, 'test', `see [notes](${heard})`);
    expect(await viewers(heard)).toEqual(['owner', 'member', 'other', 'guest', 'helper']);
    await subscribe(people.member, 'members only', [], {});
    await say(people.member, 'members only', `see ![notes](http://127.0.0.1${silent})`);
    expect(await viewers(silent)).toEqual(['owner', 'member', 'other', 'helper']);
  });

  test('A file in a private message is visible to its participants', async () => {
    const uri = await upload(people.member);
    await tell(people.member, people.guest, uri + ' for you');
    expect(await viewers(`${uri}`)).toEqual(['member', 'guest']);
  });

  test('A file in a private stream is visible to recipients, and to later ones with shared history', async () => {
    for (const [name, history] of [
      ['closed', 'false'],
      ['shared', 'true'],
    ] as const) {
      const uri = await upload(people.member);
      await subscribe(people.member, name, [people.guest], {
        invite_only: 'true',
        history_public_to_subscribers: history,
      });
      await say(people.member, name, `see [notes](${uri})`);
      expect(await viewers(uri)).toEqual(['member', 'guest']);
      await subscribe(people.member, name, [people.other], {});
      expect(await viewers(uri)).toEqual(history === 'true' ? ['member', 'other', 'guest'] : ['member', 'guest']);
      await people.guest.del('/users/me/subscriptions', { subscriptions: JSON.stringify([name]) });
      expect(await viewers(uri)).toContain('guest');
    }
  });

  test('A file is visible to others only while a message links it', async () => {
    const uri = await upload(people.member);
    const id = await say(people.member, 'test', 'nothing yet');
    await people.member.patch(`/messages/${id}`, { content: `now [there](${uri})` });
    expect(await viewers(uri)).toContain('other');
    await people.member.patch(`/messages/${id}`, { content: 'gone again' });
    expect(await viewers(uri)).toEqual(['member']);
    const again = await tell(people.member, people.other, `[here](${uri})`);
    expect(await viewers(uri)).toEqual(['member', 'other']);
    await people.owner.patch('/realm', { allow_message_deleting: 'true' });
    expect((await people.member.del(`/messages/${again}`)).body.result).toBe('success');
    expect(await viewers(uri)).toEqual(['member']);
  });

  test('A link to a file shares it only if the sender of the message can see the file', async () => {
    const uri = await upload(people.member);
    await say(people.other, 'test', `look [here](${uri})`);
    expect(await viewers(uri)).toEqual(['member']);
    await tell(people.member, people.other, `[here](${uri})`);
    await tell(people.other, people.guest, `[here](${uri})`);
    expect(await viewers(uri)).toEqual(['member', 'other', 'guest']);
  });
});

test('The owner of a file sees which messages link it and how much space is used', async () => {
  const before = (await people.owner.get('/attachments')).body.upload_space_used;
  const uri = await upload(people.owner, '12345');
  const ids = [await say(people.owner, 'test', uri + ' one'), await say(people.owner, 'test', `two ${uri}`)];
  await upload(people.member, 'more');
  const { body } = await people.owner.get('/attachments');
  expect(body.upload_space_used).toBe(before + 5);
  const own = body.attachments.find(({ path_id: path }: { path_id: string }) => uri.endsWith(path));
  expect(own.messages.map(({ id }: { id: number }) => id)).toEqual([ids[1], ids[0]]);
  expect(own.messages[0].name).toBeGreaterThan(1_700_000_000_000);
});
