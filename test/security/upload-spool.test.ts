/** Current uploads take limited space, by request and by node, in both products. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';

const MEGABYTE = 1024 * 1024;
let cluster: Cluster;
let folder: string;
let node: TestNode;
let small: TestNode;
const open: Socket[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-test-'));
  cluster = await openCluster({ RATE_LIMIT: 'off', SPOOL_DIR: folder });
  await cluster.seed();
  node = await cluster.node();
  small = await cluster.node({ FILE_LIMIT_BYTES: String(MEGABYTE), SPOOL_LIMIT_BYTES: String(4 * MEGABYTE) });
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await until(spooled, (bytes) => bytes === 0);
});
afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

/** The number of bytes in the spool. The folder of a form may be deleted while it is read. */
const spooled = (): Promise<number> => bytesIn(folder);

async function bytesIn(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map((entry) => {
    const inside = join(path, entry.name);
    return entry.isDirectory() ? bytesIn(inside) : stat(inside).then(({ size }) => size, nothing);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const nothing = () => 0;

interface Upload {
  readonly heard: () => string;
  readonly send: (bytes: Buffer | string) => Promise<void>;
}

/** A form that is sent piece by piece and stays unfinished until its end is sent. */
function upload({ port }: TestNode, path: string, headers: Readonly<Record<string, string>>): Upload {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1' });
  open.push(socket);
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  socket.on('error', () => {});
  const lines = Object.entries({
    Host: '127.0.0.1',
    'Content-Type': 'multipart/form-data; boundary=edge',
    'Transfer-Encoding': 'chunked',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return {
    heard: () => text,
    send: (bytes) =>
      new Promise((resolve) => {
        socket.write(`${Buffer.byteLength(bytes).toString(16)}\r\n`);
        socket.write(bytes);
        socket.write('\r\n', () => resolve());
      }),
  };
}

const isComeLater = (text: string) => text.startsWith('HTTP/1.1 503') && /Retry-After: [1-5]\r\n/i.test(text);

const fileHead = (field: string) =>
  `\r\n--edge\r\nContent-Disposition: form-data; name="${field}"; filename="a.bin"\r\nContent-Type: text/plain\r\n\r\n`;
const END = '\r\n--edge--\r\n';
const bytes = (megabytes: number) => Buffer.alloc(Math.floor(megabytes * MEGABYTE), 'x');

async function telephonyFile(at: TestNode): Promise<{ path: string; headers: Record<string, string> }> {
  const headers = bearer('demo-key-one');
  const { body } = await at.call('/files', { json: { name: 'a.bin' }, headers });
  return { path: `/files/${body.id}/upload`, headers };
}

async function chatFile(at: TestNode, email = 'member@example.com') {
  return { path: '/api/v1/user_uploads', headers: await at.basic(email) };
}

describe.each([
  ['chat', 'file', chatFile, 'You may only upload one file at a time'],
  ['telephony', 'upfile', telephonyFile, 'one file is required'],
])('Forms of %s with several large files', (_, field, place, refusal) => {
  test('A form with several large files spools at most the limit of one file before it is refused', async () => {
    const { path, headers } = await place(node);
    const form = upload(node, path, headers);
    let most = 0;
    for (let files = 0; files < 3; files += 1) {
      await form.send(fileHead(field));
      for (let part = 0; part < 10; part += 1) {
        await form.send(bytes(2));
        most = Math.max(most, await spooled());
      }
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(25 * MEGABYTE + 1);
    await form.send(END);
    await form.send('');
    await until(
      () => form.heard(),
      (text) => text.includes(refusal),
    );
  });

  test('A file that is larger than allowed is removed from the spool before the form ends', async () => {
    const { path, headers } = await place(node);
    const form = upload(node, path, headers);
    await form.send(fileHead(field));
    for (let part = 0; part < 15; part += 1) await form.send(bytes(2));
    // What was already being written may still arrive, but no more.
    await until(spooled, (size) => size < MEGABYTE);
    expect(form.heard()).toBe('');
  });
});

test("A caller's second upload is refused with 503 when both would take too much, and uploads of others are not", async () => {
  const { path, headers } = await chatFile(small);
  const first = upload(small, path, headers);
  await first.send(fileHead('file'));
  await first.send(bytes(1.5));
  await until(spooled, (size) => size >= 1.4 * MEGABYTE);
  const second = upload(small, path, headers);
  await second.send(fileHead('file'));
  await second.send(bytes(0.5));
  await until(() => second.heard(), isComeLater);
  const form = new FormData();
  form.append('file', new Blob([bytes(0.5)]), 'other.bin');
  const other = await small.call(path, { method: 'POST', raw: form, headers: await small.basic('other@example.com') });
  expect(other.status).toBe(200);
});

test('Uploads of all callers together are refused with 503 beyond the limit of the node', async () => {
  const people = ['owner@example.com', 'member@example.com', 'other@example.com'];
  const uploads = await Promise.all(people.map((email) => chatFile(small, email)));
  const [first, second, third] = uploads.map(({ path, headers }) => upload(small, path, headers));
  for (const form of [first!, second!]) {
    await form.send(fileHead('file'));
    await form.send(bytes(1.8));
  }
  await until(spooled, (size) => size >= 3.5 * MEGABYTE);
  await third!.send(fileHead('file'));
  await third!.send(bytes(1));
  await until(() => third!.heard(), isComeLater);
  expect(await spooled()).toBeLessThanOrEqual(4 * MEGABYTE);
  for (const form of [first!, second!]) {
    await form.send(END);
    await form.send('');
    await until(
      () => form.heard(),
      (text) => text.startsWith('HTTP/1.1 200'),
    );
  }
});

test('An upload is accepted again after others have ended', async () => {
  const { path, headers } = await chatFile(small);
  for (let times = 0; times < 4; times += 1) {
    const form = new FormData();
    form.append('file', new Blob([bytes(1.8)]), 'again.bin');
    expect((await small.call(path, { method: 'POST', raw: form, headers })).status).toBe(200);
  }
});

test('A node that starts removes what a killed node left in the spool long ago, and nothing newer', async () => {
  const [old, recent] = [join(folder, 'partyline-upload-old'), join(folder, 'partyline-upload-recent')];
  for (const path of [old, recent]) await mkdir(path);
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(old, yesterday, yesterday);
  await cluster.node();
  await until(
    () => readdir(folder),
    (names) => !names.includes('partyline-upload-old'),
  );
  expect(await readdir(folder)).toEqual(['partyline-upload-recent']);
});
