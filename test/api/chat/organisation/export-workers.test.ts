import { createHash } from 'node:crypto';
import { sweepExports } from '../../../../src/chat/commands/organisation/exports';
import { writeExport } from '../../../../src/chat/commands/organisation/write-export';
import type { RealmId } from '../../../../src/chat/model/organisation/realm';
import { insertChunk } from '../../../../src/chat/store/organisation/exports';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { chatOf } from '../../../support/kernel/parts';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { download, filesIn } from './export-support';

const DEMO = 1 as RealmId;
const NEVER = new AbortController().signal;
let cluster: Cluster;
let node: TestNode;
let owner: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.example' });
  await cluster.seed();
  node = await cluster.node();
  owner = await userOf(node, 'owner');
});
afterAll(() => cluster.close());
afterEach(async () => {
  await node.kernel.mysql('kernel_mail').delete();
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

/** The private messages that the owner received. */
async function notices(): Promise<string[]> {
  const query = { anchor: '10000000000000000', num_before: 100, num_after: 0, narrow: [['is', 'private']] };
  return (await owner.get('/messages', query)).body.messages.map(({ content }: { content: string }) => content);
}

describe('Export workers', () => {
  test('A worker that shuts down leaves its export to another worker, which starts again', async () => {
    const id = await request();
    await expect(write(id, AbortSignal.abort())).rejects.toThrow('the worker is about to end');
    expect(await exported(id)).toMatchObject({ pending: true });
    await write(id);
    const { bytes } = await download(node, id);
    expect(filesIn(bytes).has('realm.json')).toBe(true);
    expect(await node.kernel.mysql('chat_export_chunks').distinct('attempt')).toEqual([{ attempt: 2 }]);
  });

  test('Two workers that write one export at once do no harm, because the later attempt counts', async () => {
    const id = await request();
    await Promise.all([write(id), write(id)]);
    const { bytes } = await download(node, id);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe((await exported(id)).sha256);
  });

  test('A worker that is given a finished export sends no second notice', async () => {
    const id = await done();
    await write(id);
    expect((await notices()).filter((content) => content.includes(`realm/${id}/archive`))).toHaveLength(1);
  });

  test('A worker writes no further chunk of a deleted export, and the sweep removes the rest', async () => {
    const id = await request();
    const set = (change: object) => node.kernel.mysql('chat_exports').where({ id }).update(change);
    const piece = (place: number) => insertChunk(node.kernel.mysql, { id, attempt: 1 }, place, Buffer.from('piece'));
    const pieces = () => node.kernel.mysql('chat_export_chunks').where({ export_id: id });
    await set({ attempt: 1 });
    expect(await piece(0)).toBe(true);
    await set({ state: 'deleted' });
    expect(await piece(1)).toBe(false);
    expect(await pieces()).toHaveLength(1);
    await sweepExports(chatOf(node.kernel));
    expect(await pieces()).toEqual([]);
  });
});

/** The last test: from here on a worker writes the requested exports. */
test('An export that fails its last attempt is reported to its requester, and the next one succeeds', async () => {
  const { mysql } = node.kernel;
  const id = await request();
  await mysql('kernel_mail').where({ mailbox: 'chat-exports' }).update({ attempts: 2 });
  await mysql.raw('RENAME TABLE chat_export_chunks TO put_away');
  await startWorkers(cluster, 'chat-exports');
  await until(async () => (await exported(id)).failed_timestamp !== null);
  await mysql.raw('RENAME TABLE put_away TO chat_export_chunks');
  await until(async () => (await notices()).some((content) => content.includes('failed')));
  const next = await request();
  await until(async () => (await exported(next)).progress === 100);
});
