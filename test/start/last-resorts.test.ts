/** If no server is available: containers if an engine answers, otherwise one clear message. */

import { chmodSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync, cpSync } from 'node:fs';
import path from 'node:path';
import { dockerServers } from '../../scripts/lib/servers/docker-servers';
import { checkout, run } from './started-stack';

const directory = () => mkdtempSync(path.join(process.env['TEST_RUN_DIR'] ?? '', 'resorts-'));
const servers = { redis: { port: 6001, password: 'first' }, mariadb: { port: 6002, password: 'second' } };
const progress = {
  line: () => undefined,
  step: <T>(_title: string, work: (note: () => void) => Promise<T>) => work(() => undefined),
};

/** A docker that records its arguments, and answers as told. */
function fakeDocker(body: string): { calls: () => string[]; use: () => () => void } {
  const place = directory();
  const log = path.join(place, 'calls');
  writeFileSync(log, '');
  writeFileSync(path.join(place, 'docker'), `#!/bin/sh\necho "$REDIS_PASSWORD $*" >> '${log}'\n${body}\n`);
  chmodSync(path.join(place, 'docker'), 0o755);
  return {
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
    use: () => {
      const before = process.env['PATH'];
      process.env['PATH'] = `${place}:${before}`;
      return () => {
        process.env['PATH'] = before;
      };
    },
  };
}

test('Containers are used if a Docker engine answers', async () => {
  const docker = fakeDocker('exit 0');
  const restore = docker.use();
  const dataDir = directory();
  const services = await dockerServers(dataDir, ['redis', 'mariadb'], servers, progress);
  expect(services).toMatchObject({
    redisUrl: 'redis://:first@127.0.0.1:6001',
    databaseUrl: 'mysql://partyline:second@127.0.0.1:6002/partyline',
  });
  await services?.stop();
  restore();
  const calls = docker.calls();
  expect(calls[2]).toMatch(/^first compose -p partyline-[0-9a-f]{12} -f \S+compose\.json up --detach --wait$/);
  expect(calls[3]).toMatch(/ stop$/);
  expect(statSync(path.join(dataDir, 'docker/compose.json')).mode & 0o077).toBe(0);
});

test('A Docker client without a running engine is not used', async () => {
  const docker = fakeDocker('exit 1');
  const restore = docker.use();
  expect(await dockerServers(directory(), ['redis'], servers, progress)).toBeUndefined();
  restore();
  expect(docker.calls()).toHaveLength(1);
});

test('On a machine without any way to get the services, the start names the options in one line', async () => {
  // A checkout without a cache, on a machine that has only Node.
  const bare = directory();
  cpSync(path.join(checkout, 'scripts'), path.join(bare, 'scripts'), { recursive: true });
  cpSync(path.join(checkout, 'package.json'), path.join(bare, 'package.json'));
  const bin = directory();
  symlinkSync(process.execPath, path.join(bin, 'node'));
  const ask = `
    const { fetchPrograms } = require('./scripts/lib/programs/fetch-programs');
    const { reportFailure } = require('./scripts/lib/failure');
    fetchPrograms(['redis', 'kamailio']).catch((error) => process.exit(reportFailure(error)));`;
  const asked = run(process.execPath, ['-e', ask], { PATH: bin }, bare);
  expect(await asked.exit).toBe(69);
  expect(asked.output().trimEnd().split('\n')).toHaveLength(1);
  expect(asked.output()).toMatch(/^Cannot get .*apt-get install.*REDIS_URL and DATABASE_URL.*Docker/);
});
