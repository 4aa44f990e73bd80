import { createHash } from 'node:crypto';
import { sweepExports } from '../../../../src/chat/commands/organisation/exports';
import { writeExport } from '../../../../src/chat/commands/organisation/write-export';
import type { RealmId } from '../../../../src/chat/model/organisation/realm';
import { refusal } from '../../../support/chat/people';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatOf } from '../../../support/kernel/parts';
import { download, filesIn, upload, uploadPictures } from './export-support';

const DEMO = 1 as RealmId;
const NEVER = new AbortController().signal;
let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.example' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
});
afterAll(() => cluster.close());
afterEach(async () => {
  await node.kernel.mysql('chat_export_chunks').delete();
  await node.kernel.mysql('chat_exports').delete();
});

const write = (exportId: number, signal = NEVER) =>
  writeExport(chatOf(node.kernel), { realmId: DEMO, exportId }, signal);
const exported = async (id: number) =>
  (await owner.get('/export/realm')).body.exports.find((each: { id: number }) => each.id === id);

async function request(): Promise<number> {
  const { status, body, text } = await owner.post('/export/realm');
  if (status !== 200) throw new Error(text);
  return body.id;
}

async function done(): Promise<number> {
  const id = await request();
  await write(id);
  return id;
}

async function say(by: TestUser, content: string, more: object = {}): Promise<number> {
  const draft = { type: 'stream', to: 'test', topic: 'export', content, ...more };
  const { status, body, text } = await by.post('/messages', draft);
  if (status !== 200) throw new Error(text);
  return body.id;
}

/** The private messages that the owner received. */
async function notices(): Promise<string[]> {
  const query = { anchor: '10000000000000000', num_before: 100, num_after: 0, narrow: [['is', 'private']] };
  return (await owner.get('/messages', query)).body.messages.map(({ content }: { content: string }) => content);
}

test('An export holds the public messages with their files, and nothing private or secret', async () => {
  const open = await upload(node, 'plans.txt', 'open plans');
  const closed = await upload(node, 'diary.txt', 'a secret file');
  const sent = await say(member, `see [plans](${open})`);
  await owner.post(`/messages/${sent}/reactions`, { emoji_name: 'smile' });
  await say(member, '/poll Lunch?');
  await say(member, `a secret [diary](${closed})`, { type: 'private', to: ['other@example.com'] });
  await say(owner, 'a secret of the board', { to: 'leadership' });
  await owner.post('/realm/domains', { domain: 'example.com', allow_subdomains: false });
  await uploadPictures(node);

  const id = await done();
  const { bytes, headers } = await download(node, id);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(await exported(id)).toEqual({
    id,
    export_time: expect.any(Number),
    acting_user_id: owner.id,
    export_url: `https://chat.example/api/v1/export/realm/${id}/archive`,
    deleted_timestamp: null,
    failed_timestamp: null,
    pending: false,
    progress: 100,
    size: bytes.length,
    sha256,
  });
  expect(headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`);
  expect(headers.get('content-disposition')).toContain(`export-${id}.tar.gz`);

  const files = filesIn(bytes);
  const json = (name: string) => JSON.parse(files.get(name)!);
  const pictures = ['realm/icon.png', `avatars/${owner.id}.png`, json('emoji.json')[0].file];
  expect([...files.keys()]).toEqual(expect.arrayContaining(['realm.json', 'users.json', ...pictures]));
  expect(json('realm.json')).toMatchObject({ format: 1, name: 'Example Organization' });
  expect(json('users.json').map(({ email }: { email: string }) => email)).toContain('guest@example.com');
  expect(json('realm_domains.json')).toEqual([{ domain: 'example.com', allow_subdomains: false }]);
  const streams = json('streams/000001.json').map(({ name }: { name: string }) => name);
  expect(streams).toContain('test');
  expect(streams).not.toContain('leadership');
  const messages = json('messages/000001.json');
  const found = messages.find((each: { id: number }) => each.id === sent);
  expect(found).toMatchObject({
    sender_id: member.id,
    topic: 'export',
    content: `see [plans](${open})`,
    rendered_content: expect.stringContaining('plans'),
    reactions: [{ emoji_name: 'smile', user: { id: owner.id } }],
    submessages: [],
  });
  expect(messages.find((each: { content: string }) => each.content === '/poll Lunch?').submessages).toHaveLength(1);
  const [attachment] = json('attachments/000001.json');
  expect(attachment).toMatchObject({ name: 'plans.txt', owner_id: member.id, size: 10 });
  expect(files.get(attachment.file)).toBe('open plans');
  const all = [...files.values()].join();
  for (const hidden of ['a secret', 'key_hash', 'key_sealed', 'password', 'zoom_api'])
    expect(all).not.toContain(hidden);
});

test('An export of many messages holds each message once, split into several files', async () => {
  const words = 'w'.repeat(9000);
  for (let at = 0; at < 130; at += 1) await say(member, `${at} ${words}`, { topic: 'many' });
  const files = filesIn((await download(node, await done())).bytes);
  const names = [...files.keys()].filter((name) => name.startsWith('messages/'));
  expect(names.length).toBeGreaterThan(1);
  const contents = names
    .flatMap((name) => JSON.parse(files.get(name)!))
    .filter(({ topic }: { topic: string }) => topic === 'many')
    .map(({ content }: { content: string }) => parseInt(content, 10));
  expect(contents).toEqual(Array.from({ length: 130 }, (_, at) => at));
});

test('Only administrators get events about an export, and its requester is notified when it is ready', async () => {
  const [listen, overhear] = [await owner.listen(['realm_export']), await member.listen(['realm_export'])];
  await done();
  const facts = (await listen()).map(({ exports }) => [exports[0].pending, exports[0].progress]);
  expect(facts).toEqual([
    [true, 0],
    [false, 100],
  ]);
  expect(await overhear()).toEqual([]);
  expect((await notices()).at(-1)).toContain('/archive');
});

test('Only administrators can request, list, download and delete exports', async () => {
  const onlyAdmins = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
  const id = await done();
  expect(await member.post('/export/realm')).toMatchObject(onlyAdmins);
  expect(await member.get('/export/realm')).toMatchObject(onlyAdmins);
  expect(await member.get(`/export/realm/${id}/archive`)).toMatchObject(onlyAdmins);
  expect(await member.del(`/export/realm/${id}`)).toMatchObject(onlyAdmins);
});

describe('Deleted exports', () => {
  test('A deleted export has no archive any more', async () => {
    const id = await done();
    expect((await owner.del(`/export/realm/${id}`)).status).toBe(200);
    expect(await exported(id)).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number) });
    expect(await owner.get(`/export/realm/${id}/archive`)).toMatchObject(refusal('Export already deleted'));
    expect(await owner.del(`/export/realm/${id}`)).toMatchObject(refusal('Export already deleted'));
    expect(await node.kernel.mysql('chat_export_chunks').where({ export_id: id })).toEqual([]);
  });

  test('A worker writes no more of an export that was deleted while pending', async () => {
    const id = await request();
    expect(await owner.get(`/export/realm/${id}/archive`)).toMatchObject(refusal('The export is not finished yet'));
    await owner.del(`/export/realm/${id}`);
    await write(id);
    expect(await exported(id)).toMatchObject({ pending: false, export_url: null, progress: 0 });
  });

  test('An export id that never existed gets another error than a deleted export', async () => {
    expect(await owner.del('/export/realm/999999')).toMatchObject(refusal('Invalid data export ID'));
    expect(await owner.get('/export/realm/999999/archive')).toMatchObject(refusal('Invalid data export ID'));
  });
});

describe('Limits of exports', () => {
  const age = (id: number, hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000);
    return node.kernel.mysql('chat_exports').where({ id }).update({ created_at: time, touched_at: time });
  };

  test('An organisation has one export at a time, five a week, and keeps three archives', async () => {
    const first = await request();
    expect(await owner.post('/export/realm')).toMatchObject(refusal('An export is under way already'));
    await write(first);
    for (let count = 1; count < 5; count += 1) await done();
    expect(await owner.post('/export/realm')).toMatchObject(refusal('Exceeded rate limit.'));
    const { exports } = (await owner.get('/export/realm')).body as { exports: { export_url: string | null }[] };
    expect(exports.map(({ export_url: url }) => url !== null)).toEqual([false, false, true, true, true]);
    expect(await node.kernel.mysql('chat_export_chunks').distinct('export_id')).toHaveLength(3);
    await age(first, 8 * 24);
    expect(await request()).toBeGreaterThan(first);
  });

  test('An organisation with more than 10 GiB of files cannot be exported', async () => {
    const file = {
      realm_id: DEMO,
      owner_id: member.id,
      name: 'a',
      type: 'a/b',
      size: 2 ** 32 - 1,
      created_at: new Date(),
    };
    const files = ['a', 'b', 'c'].map((token) => ({ ...file, token }));
    await node.kernel.mysql('chat_uploads').insert(files);
    expect(await owner.post('/export/realm')).toMatchObject(
      refusal('The organization has too many files to be exported (limit: 10 GiB)'),
    );
    await node.kernel.mysql('chat_uploads').where({ size: file.size }).delete();
  });

  test('An archive is deleted after a week, and an export without progress fails after a day', async () => {
    const [old, young] = [await done(), await done()];
    const lost = await request();
    await age(old, 7 * 24 + 1);
    await age(young, 6 * 24);
    await age(lost, 25);
    await sweepExports(chatOf(node.kernel));
    expect(await exported(old)).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number) });
    expect(await exported(young)).toMatchObject({ deleted_timestamp: null, export_url: expect.any(String) });
    expect(await exported(lost)).toMatchObject({ pending: false, failed_timestamp: expect.any(Number) });
  });
});
