/**
 * How a start ends: gracefully on SIGTERM, without leaving a child on kill -9 of the supervisor, at once if a port is
 * taken.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { until } from '../../scripts/lib/waiting';
import { allGone, newGround, pidFiles, pidOf, run, runStart, whenReady } from './started-stack';
import type { Ground } from './started-stack';

const CHILDREN = ['mariadb', 'node-1', 'pbx', 'redis', 'worker-1'];

/** Stale pid files of a supervisor that is gone: they name this process, which is alive. */
function fakeStaleFiles(ground: Ground): void {
  for (const name of ['supervisor', 'node-1']) {
    writeFileSync(path.join(ground.dataDir, 'run', `${name}.pid`), `${process.pid}\n`);
  }
}

test.each(['setpriv', 'watcher'])('With the guard %s no child outlives a killed supervisor', async (guard) => {
  const ground = await newGround({ NODES: '1', PARTYLINE_GUARD: guard });
  const first = runStart(ground);
  await whenReady(first);
  const pids = CHILDREN.map((name) => pidOf(ground, name));
  expect(pids).not.toContain(0);
  process.kill(pidOf(ground, 'supervisor'), 'SIGKILL');
  expect(await first.exit).toBe('SIGKILL');
  expect(await allGone(pids, 90_000)).toBe(true);
  if (guard === 'watcher') {
    expect(await until(() => pidFiles(ground).join() === 'supervisor', { timeoutMs: 60_000 })).toBe(true);
  }

  fakeStaleFiles(ground);
  const second = runStart(ground);
  await whenReady(second);
  expect(pidFiles(ground)).toEqual([...CHILDREN, 'supervisor'].sort());
  const again = CHILDREN.map((name) => pidOf(ground, name));
  second.process.kill('SIGTERM');
  expect(await second.exit).toBe(0);
  expect(await allGone(again, 1000)).toBe(true);
  expect(pidFiles(ground)).toEqual([]);
  expect(existsSync(path.join(ground.dataDir, 'run/environment.json'))).toBe(false);
});

test('The whole stack stops when npm is killed', async () => {
  const ground = await newGround({ NODES: '1', WORKERS: '0' });
  const started = run('npm', ['start'], ground.env);
  await whenReady(started);
  const pids = ['mariadb', 'node-1', 'pbx', 'redis', 'supervisor'].map((name) => pidOf(ground, name));
  started.process.kill('SIGKILL');
  expect(await allGone(pids, 90_000)).toBe(true);
  expect(pidFiles(ground)).toEqual([]);
});

test('A port that is taken is named in one line before anything is started', async () => {
  const ground = await newGround();
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(ground.port + 1, '127.0.0.1', resolve);
  });
  const started = runStart(ground);
  expect(await started.exit).toBe(1);
  expect(started.output().trimEnd().split('\n')).toEqual([
    expect.stringMatching(`^Port ${ground.port + 1} \\(for node-2\\) is taken by another program`),
  ]);
  expect(existsSync(path.join(ground.dataDir, 'logs/redis.log'))).toBe(false);
  server.close();
});

test.each([
  ['PORT', 'ninety', {}],
  ['NODES', '0', {}],
  ['HOST', '192.0.2.1', { AUTH_METHODS: 'password' }],
  ['HOST', '0.0.0.0', {}],
])('A mistake in %s, such as %s, is named in one line', async (name, value, others) => {
  const ground = await newGround({ ...others, [name]: value });
  const started = runStart(ground);
  expect(await started.exit).toBe(1);
  expect(started.output().trimEnd().split('\n')).toEqual([expect.stringContaining(name)]);
});
