import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bearer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startProbe, type ProbeProcess } from '../support/processes/probe-process';
import { killAll } from '../support/processes/processes';
import { openRaw, rawRequest } from '../support/http/raw-connection';
import { until } from '../support/until';

let cluster: Cluster;
let node: ProbeProcess;
let spool: string;
let member: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  spool = await mkdtemp(join(tmpdir(), 'spool-'));
  node = await startProbe(cluster, { TMPDIR: spool });
  member = await node.basic('member@example.com');
});
afterAll(async () => {
  await killAll();
  await cluster.close();
  await rm(spool, { recursive: true });
});

let count = 0;
const newId = () => `answer-${++count}`;

describe('Responses that cannot be written', () => {
  test.each(['/unsendable', '/unsendable-download', '/unreadable-download'])(
    'The response of %s that cannot be written becomes a 500 in its envelope, and log and metrics say 500',
    async (route) => {
      const id = newId();
      const answer = await node.call(`/probe${route}`, { headers: { 'X-Request-Id': id } });
      expect(answer).toMatchObject({ status: 500, body: { status: 500, detail: 'Internal server error' } });
      expect(await node.notedStatus(id)).toBe(500);
      expect((await node.linesOf(id)).map(({ msg }) => msg)).toContain('request failed');
      expect(await node.measured(route)).toEqual({ 500: 1 });
    },
  );

  test('A download that breaks off on its way is logged as 500, with an error in the log', async () => {
    const id = newId();
    await expect(node.call('/probe/broken-download', { headers: { 'X-Request-Id': id } })).rejects.toThrow();
    expect(await node.notedStatus(id)).toBe(500);
    expect((await node.linesOf(id)).map(({ msg }) => msg)).toContain('a download was interrupted');
    expect(await node.measured('/broken-download')).toEqual({ 500: 1 });
  });

  test('A download whose client leaves is logged as 499, without an error', async () => {
    // More than the buffers of both sides hold, so that the node cannot finish while the client reads nothing.
    const [id, uri] = [newId(), await upload(16)];
    const raw = openRaw(node.port);
    raw.socket.pause();
    raw.send(rawRequest({ start: `GET ${uri} HTTP/1.1`, headers: { ...member, 'X-Request-Id': id } }));
    await until(() => raw.socket.bytesRead > 0);
    raw.socket.destroy();
    expect(await node.notedStatus(id)).toBe(499);
    expect((await node.linesOf(id)).map(({ level }) => level)).toEqual([30]);
  });
});

async function upload(megabytes: number): Promise<string> {
  const raw = new FormData();
  raw.append('file', new Blob([Buffer.alloc(megabytes * 1024 * 1024, 120)]), 'large.bin');
  const { body } = await node.call('/api/v1/user_uploads', { raw, method: 'POST', headers: member });
  return (body as { uri: string }).uri;
}

describe('Clients that hang up in the middle of a body', () => {
  const MULTIPART = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
  const entryPoints: [string, string, Record<string, string>, string][] = [
    ['telephony JSON', 'PATCH /company', { 'Content-Type': 'application/json' }, '{"x":"'],
    ['telephony CSV', 'PATCH /company', { 'Content-Type': 'text/csv' }, 'a,b\n1,'],
    ['a chat form', 'POST /api/v1/messages', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'content=x'],
    ['chat JSON', 'POST /api/v1/messages', { 'Content-Type': 'application/json' }, '{"x":"'],
    ['an upload', 'POST /api/v1/user_uploads', { 'Content-Type': 'multipart/form-data; boundary=XX' }, MULTIPART],
    ["a carrier's call", 'POST /webhooks/texting/simulated/x', { 'Content-Type': 'application/json' }, '{"x":"'],
    ['gzip', 'PATCH /company', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, '\x1f\x8b\x08\x00'],
    ['an unknown path', 'POST /nothing', {}, 'x'],
  ];
  test.each(entryPoints)(
    'A client that hangs up in the middle of a body is logged as 499 without a stack trace: %s',
    async (_, start, headers, part) => {
      const chat = start.includes('/api/v1');
      for (const leave of ['destroy', 'resetAndDestroy'] as const) {
        const id = newId();
        const raw = openRaw(node.port);
        const all = { ...(chat ? member : bearer('demo-key-one')), ...headers, 'X-Request-Id': id };
        // Makes the node say when it has read the headers.
        const framing = { 'Content-Length': '100000', Expect: '100-continue' };
        raw.send(rawRequest({ start: `${start} HTTP/1.1`, headers: { ...all, ...framing } }));
        raw.send(Buffer.from(part, 'latin1'));
        // An unknown path is answered without reading the body.
        if (start.endsWith('/nothing')) await raw.answer(0);
        else await until(() => raw.heard().includes('100 Continue'));
        raw.socket[leave]();
        const lines = await node.linesOf(id);
        expect(lines.map(({ msg }) => msg)).toEqual(['request']);
        expect(lines[0]!.status).toBe(start.endsWith('/nothing') ? 404 : 499);
      }
    },
  );
});

test('Uploads that are given up at any moment leave nothing on the disk', async () => {
  const head = ['POST /api/v1/user_uploads HTTP/1.1', 'Host: x', 'Content-Length: 1000'];
  const about = ['Content-Type: multipart/form-data; boundary=x', `Authorization: ${member['Authorization']!}`];
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf a fi';
  for (let round = 0; round < 60; round += 1) {
    const raw = openRaw(node.port);
    await new Promise((resolve) => raw.socket.write(`${[...head, ...about].join('\r\n')}\r\n\r\n${part}`, resolve));
    await wait(round % 6);
    if (round % 2 === 0) raw.socket.destroy();
    else raw.socket.resetAndDestroy();
  }
  await node.call('/healthz');
  await until(
    () => readdir(spool),
    (names) => names.length === 0,
  );
});

describe('Garbage on a connection', () => {
  const GARBAGE = 'garbage\r\n\r\n';

  test('Garbage sent during a download never gets into the downloaded bytes', async () => {
    const uri = await upload(16);
    const raw = openRaw(node.port);
    raw.socket.pause();
    raw.send(rawRequest({ start: `GET ${uri} HTTP/1.1`, headers: member }));
    await until(() => raw.socket.bytesRead > 0);
    raw.send(GARBAGE);
    raw.socket.resume();
    await raw.closed();
    expect(raw.heard().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  test('The error for garbage sent behind a held poll is not taken for the answer to the poll', async () => {
    const { body } = await node.call('/api/v1/register', { method: 'POST', headers: member, form: {} });
    const { queue_id: queue, last_event_id: last } = body as { queue_id: string; last_event_id: number };
    const path = `/api/v1/events?queue_id=${queue}&last_event_id=${last}`;
    const raw = openRaw(node.port);
    raw.send(rawRequest({ start: `GET ${path} HTTP/1.1`, headers: member }));
    raw.send(GARBAGE);
    await raw.closed();
    expect(raw.heard()).toBe('');
  });

  test('The error for garbage sent behind a running request is not taken for its answer', async () => {
    const raw = openRaw(node.port);
    raw.send(rawRequest({ start: 'GET /probe/forever HTTP/1.1' }));
    raw.send(GARBAGE);
    await raw.closed();
    expect(raw.heard()).toBe('');
  });

  test.each([
    ['alone', GARBAGE],
    ['in a body of chunks', 'PATCH /company HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ])('Garbage %s is answered once with 400, and the connection is closed', async (_, text) => {
    const raw = openRaw(node.port);
    raw.send(text);
    raw.send(GARBAGE);
    expect((await raw.answer(0)).status).toBe(400);
    await raw.closed();
    expect(raw.heard().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  test('A connection with garbage is closed after the answer, although the client keeps its side open', async () => {
    const raw = openRaw(node.port);
    raw.socket.allowHalfOpen = true;
    raw.send(GARBAGE);
    expect((await raw.answer(0)).status).toBe(400);
    const isGone = () => new Promise((resolve) => raw.socket.write('x', (error) => resolve(Boolean(error))));
    await until(isGone);
    expect((await node.measured('none'))['400']).toBeGreaterThan(0);
  });
});
