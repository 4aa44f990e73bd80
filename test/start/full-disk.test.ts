/** `npm start` while the disk of MariaDB is full: it waits, says so, and goes on by itself. The disk is a real tmpfs. */

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { answersOk } from '../../scripts/lib/start/probes';
import { isAlive } from '../../scripts/lib/processes';
import { until } from '../../scripts/lib/waiting';
import { basicHeader, clientOf } from '../support/http/client';
import { newGround, pidOf, runStart, whenReady } from './started-stack';
import type { Ground, Run } from './started-stack';

const PATIENCE = { timeoutMs: 240_000 };
const MEBIBYTE = Buffer.alloc(1024 * 1024);

let ground: Ground;
let started: Run;
let canMount = false;
const disk = () => path.join(ground.dataDir, 'mariadb');
const filling = () => path.join(disk(), 'filling');

beforeAll(async () => {
  ground = await newGround({ NODES: '1' });
  mkdirSync(disk(), { recursive: true });
  canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=700', 'tmpfs', disk()]).status === 0;
  // oxlint-disable-next-line no-console -- a run without these tests must say so
  if (!canMount) return console.warn('No tmpfs can be mounted here: npm start on a full disk was not tested.');
  started = runStart(ground);
  await whenReady(started);
});
afterAll(async () => {
  if (!canMount) return;
  started.process.kill('SIGTERM');
  await started.exit;
  spawnSync('umount', [disk()]);
});

/** Until not a byte is left. */
function fill(): void {
  const file = openSync(filling(), 'a');
  for (const piece of [MEBIBYTE, MEBIBYTE.subarray(0, 4096), MEBIBYTE.subarray(0, 1)]) {
    try {
      for (;;) writeSync(file, piece);
    } catch {
      // Full for pieces of this size.
    }
  }
  closeSync(file);
}

const WAITS = /^.*mariadb waits: the disk of (\S+) is full\. It goes on by itself when there is space$/gm;
const waits = () => [...started.output().matchAll(WAITS)].map(([, place]) => place);
const isServing = () => answersOk(`http://127.0.0.1:${ground.port}/readyz`);
const node = () => clientOf(`http://127.0.0.1:${ground.port}`);

async function send(text: string): Promise<number> {
  const { body } = await node().call('/api/v1/dev_fetch_api_key', { form: { username: 'member@example.com' } });
  const headers = basicHeader('member@example.com', body.api_key);
  const form = { type: 'stream', to: 'test', topic: 'room', content: text };
  return (await node().call('/api/v1/messages', { form, headers })).status;
}

test('A stack whose MariaDB dies on a full disk waits for space and goes on by itself', async () => {
  if (!canMount) return;
  expect(await send('before')).toBe(200);
  fill();
  const before = pidOf(ground, 'mariadb');
  process.kill(before, 'SIGKILL');
  // It may come up and be unable to write, or be unable to come up: nothing is lost, and nobody gives up.
  await until(() => pidOf(ground, 'mariadb') !== before, PATIENCE);
  rmSync(filling());
  expect(await until(isServing, PATIENCE)).toBe(true);
  expect(await until(async () => (await send('after')) === 200, PATIENCE)).toBe(true);
  expect(isAlive(started.process.pid ?? 0)).toBe(true);
});

test('A start on a full disk waits, names the disk in one line, and comes up when there is space', async () => {
  if (!canMount) return;
  started.process.kill('SIGTERM');
  expect(await started.exit).toBe(0);
  fill();
  started = runStart(ground);
  expect(await until(() => waits().length > 0, PATIENCE)).toBe(true);
  // Six starts: a server that ends five times for another reason is given up.
  const log = () => readFileSync(path.join(ground.dataDir, 'logs/mariadb.log'), 'utf8');
  const starts = () => log().match(/Starting MariaDB/g)?.length ?? 0;
  const first = starts();
  await until(() => starts() >= first + 6, PATIENCE);
  expect(isAlive(started.process.pid ?? 0)).toBe(true);
  rmSync(filling());
  await whenReady(started);
  expect(waits()).toEqual([disk()]);
  expect(started.output()).not.toContain('restore a backup');
  expect(await send('again')).toBe(200);
});

test('MariaDB writes no tables of its own at a start that changes nothing', async () => {
  if (!canMount) return;
  const before = pidOf(ground, 'mariadb');
  const log = path.join(ground.dataDir, 'logs/mariadb.log');
  const { length } = readFileSync(log, 'utf8');
  process.kill(before, 'SIGKILL');
  await until(() => pidOf(ground, 'mariadb') !== before && isServing(), PATIENCE);
  // Accounts are tables of Aria: after a start that had set them up, Aria would have to recover.
  expect(readFileSync(log, 'utf8').slice(length)).toContain('ready for connections');
  expect(readFileSync(log, 'utf8').slice(length)).not.toContain('Aria engine: starting recovery');
});
