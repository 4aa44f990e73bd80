/** `npm start` from the first line to Ctrl-C: it starts, restarts what is killed, and stops in order. */

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../scripts/lib/processes';
import { allGone, healed, newGround, pidFiles, pidOf, run, runStart, whenReady } from './started-stack';
import type { Ground, Run } from './started-stack';

const CHILDREN = ['mariadb', 'node-1', 'node-2', 'pbx', 'redis', 'worker-1'];

let ground: Ground;
let started: Run;

beforeAll(async () => {
  ground = await newGround();
  started = run('npm', ['start'], ground.env);
  await whenReady(started);
});

afterAll(async () => {
  started.process.kill('SIGTERM');
  await started.exit;
});

test('The last line of npm start has the addresses of the nodes', () => {
  const { port } = ground;
  const last = started.output().trimEnd().split('\n').at(-1);
  expect(last).toBe(`ready http://127.0.0.1:${port} http://127.0.0.1:${port + 1}`);
  expect(started.output()).toContain('owner@example.com');
});

test('Every child has a pid file and is alive', () => {
  expect(pidFiles(ground)).toEqual([...CHILDREN, 'supervisor'].sort());
  expect(CHILDREN.filter((name) => !isAlive(pidOf(ground, name)))).toEqual([]);
});

test('The file with the addresses of the private services is readable by its owner alone', () => {
  const file = path.join(ground.dataDir, 'run/environment.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    REDIS_URL: expect.stringMatching(/^redis:\/\/:[\w-]{20,}@127\.0\.0\.1:\d+$/),
    DATABASE_URL: expect.stringMatching(/^mysql:\/\/partyline:[\w-]{20,}@127\.0\.0\.1:\d+\/partyline$/),
    DATA_DIR: ground.dataDir,
    PORT: String(ground.port),
    NODES: '2',
  });
});

test('The command line finds the private services of a running stack', async () => {
  const cli = run('npm', ['run', '--silent', 'cli', '--', 'migrate', '--json'], ground.env);
  expect(await cli.exit).toBe(0);
  expect(() => JSON.parse(cli.output())).not.toThrow();
});

test('A second npm start beside a running stack says so in one line and fails', async () => {
  const second = runStart(ground);
  expect(await second.exit).toBe(1);
  expect(second.output().trimEnd().split('\n')).toEqual([expect.stringMatching(/^Partyline is already running/)]);
  expect(second.output()).toContain(`pid ${pidOf(ground, 'supervisor')}`);
});

test.each(['node-1', 'worker-1', 'pbx', 'redis', 'mariadb'])(
  'The process %s comes back after kill -9',
  async (name) => {
    const before = pidOf(ground, name);
    process.kill(before, 'SIGKILL');
    expect(await healed(ground, name, before)).toBe(true);
    expect(pidFiles(ground)).toEqual([...CHILDREN, 'supervisor'].sort());
  },
);

test('Ctrl-C ends the nodes before the services, and leaves no pid file', async () => {
  const pids = [...CHILDREN, 'supervisor'].map((name) => pidOf(ground, name));
  // A terminal signals the whole group: npm, its shell and the supervisor, but none of the children.
  process.kill(-(started.process.pid ?? 0), 'SIGINT');
  await started.exit;
  expect(await allGone(pids, 90_000)).toBe(true);
  expect(pidFiles(ground)).toEqual([]);
  expect(started.output()).toMatch(/Stopped\.\s*$/);
  const log = readFileSync(path.join(ground.dataDir, 'logs/redis.log'), 'utf8');
  expect(log).toContain('Redis is now ready to exit');
});
