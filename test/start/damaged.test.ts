/**
 * `npm start` with damaged data: Redis starts empty and goes on; MariaDB stops everything and its data are left
 * unchanged.
 */

import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { answersOk } from '../../scripts/lib/start/probes';
import { isAlive } from '../../scripts/lib/processes';
import { until } from '../../scripts/lib/waiting';
import { basicHeader, clientOf } from '../support/http/client';
import { allGone, newGround, pidOf, runStart, whenReady } from './started-stack';
import type { Ground, Run } from './started-stack';

const SET_ASIDE = /redis: its files were damaged and are set aside in (\S+); it starts empty/g;

let ground: Ground;
let started: Run;

beforeAll(async () => {
  ground = await newGround({ NODES: '1' });
  started = runStart(ground);
  await whenReady(started);
});
afterAll(async () => {
  started.process.kill('SIGTERM');
  await started.exit;
});

const inRedis = (...names: string[]) => path.join(ground.dataDir, 'redis', ...names);
const appendOnly = (ending: string) => {
  const name = readdirSync(inRedis('appendonlydir')).find((each) => each.endsWith(ending));
  return inRedis('appendonlydir', name ?? '');
};
const setAside = (run: Run) => [...run.output().matchAll(SET_ASIDE)].map(([, place]) => String(place));

/** Overwrites a part of a file, even while a server has it open. */
function scribble(file: string, from: number, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, '!'), 0, bytes, from);
  closeSync(descriptor);
}

async function killed(name: string): Promise<number> {
  const pid = pidOf(ground, name);
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), { timeoutMs: 120_000 });
  return pid;
}

/** Sends a message and waits until a queue gets it: this needs the node, MariaDB and Redis. */
async function speakAndHear(text: string): Promise<void> {
  const node = clientOf(`http://127.0.0.1:${ground.port}`);
  const form = { username: 'member@example.com' };
  const { body } = await node.call('/api/v1/dev_fetch_api_key', { form });
  const headers = basicHeader('member@example.com', body.api_key);
  const queue = await node.call('/api/v1/register', { form: { event_types: '["message"]' }, headers });
  const message = { type: 'stream', to: 'test', topic: 'damage', content: text };
  expect((await node.call('/api/v1/messages', { form: message, headers })).status).toBe(200);
  const query = { queue_id: queue.body.queue_id, last_event_id: String(queue.body.last_event_id) };
  let events: { type: string; message: { content: string } }[] = [];
  // A node that has just reconnected to Redis ends its polls: clients poll again, and so does the test.
  await until(
    async () => {
      ({ events } = (await node.call('/api/v1/events', { query, headers })).body);
      return events.length > 0;
    },
    { timeoutMs: 120_000 },
  );
  expect(events[0]).toMatchObject({ type: 'message', message: { content: text } });
}

const isServing = () => answersOk(`http://127.0.0.1:${ground.port}/readyz`);

test('A running stack sets a damaged append-only file of Redis aside and goes on delivering events', async () => {
  await speakAndHear('before');
  const file = appendOnly('.incr.aof');
  const { size } = statSync(file);
  expect(size).toBeGreaterThan(1000);
  // Where a command begins: inside a value, any bytes are valid.
  scribble(file, readFileSync(file).indexOf('\r\n*', size / 2) + 2, 256);
  const before = await killed('redis');
  expect(await until(() => setAside(started).length > 0, { timeoutMs: 120_000 })).toBe(true);
  expect(await until(() => isAlive(pidOf(ground, 'redis')) && isServing(), { timeoutMs: 120_000 })).toBe(true);
  expect(pidOf(ground, 'redis')).not.toBe(before);
  expect(setAside(started)).toHaveLength(1);
  const [place = ''] = setAside(started);
  expect(path.basename(place)).toMatch(/^damaged-\d{4}-/);
  expect(readFileSync(path.join(place, 'appendonlydir', path.basename(file))).includes('!!!!')).toBe(true);
  await speakAndHear('after');
});

test('A start with a truncated Redis manifest sets the files aside, says so in one line and comes up', async () => {
  started.process.kill('SIGTERM');
  expect(await started.exit).toBe(0);
  truncateSync(appendOnly('.manifest'), 20);
  started = runStart(ground);
  await whenReady(started);
  expect(setAside(started)).toHaveLength(1);
  expect(existsSync(path.join(setAside(started)[0] ?? '', 'appendonlydir'))).toBe(true);
  await speakAndHear('again');
});

describe('Damaged data of MariaDB', () => {
  const CLEAR = /^MariaDB cannot read its data in (\S+) \(its last words are above\)\. Nothing in there was changed/m;
  const inMariadb = (...names: string[]) => path.join(ground.dataDir, 'mariadb', ...names);

  const expectStopped = async () => {
    expect(await started.exit).toBe(1);
    expect(CLEAR.exec(started.output())?.[1]).toBe(inMariadb('data'));
    expect(started.output().trimEnd().split('\n').at(-1)).toMatch(/restore a backup .* and run npm start again\.$/);
    expect(existsSync(inMariadb('data/ibdata1'))).toBe(true);
    expect(readdirSync(inMariadb()).filter((name) => /damaged/.test(name))).toEqual([]);
  };

  test('Damaged MariaDB data stop a running stack with a clear message, and no file is set aside', async () => {
    const children = ['redis', 'node-1', 'worker-1', 'pbx'].map((name) => pidOf(ground, name));
    const pid = pidOf(ground, 'mariadb');
    process.kill(pid, 'SIGSTOP');
    scribble(inMariadb('data/ibdata1'), 0, 4 * 1024 * 1024);
    process.kill(pid, 'SIGKILL');
    await expectStopped();
    expect(await allGone(children, 60_000)).toBe(true);
  });

  test('Damaged MariaDB data keep the next start from coming up, with the same message', async () => {
    started = runStart(ground);
    await expectStopped();
  });
});
