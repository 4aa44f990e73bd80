// The releases of Node that the tests run on, and which tests run on which of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { majorOf, NODE_RELEASES } from '../../../scripts/lib/node-releases';
import { planTests, wantsAsterisk } from '../../../scripts/lib/test-plan';

const root = join(__dirname, '../../..');
const machine = { version: '20.19.0', platform: 'linux', arch: 'x64' };
const majors = NODE_RELEASES.map(({ version }) => majorOf(version));
const planned = (args: readonly string[], on = machine) =>
  planTests(args, on).map(({ release, share, args: jestArgs }) =>
    [release && majorOf(release.version), ...(share ? [`${share.part}/${share.of}`] : []), ...jestArgs].join(' '),
  );

describe('the releases', () => {
  test('are one of each line in support, pinned by a strong checksum for both processors', () => {
    expect(majors).toEqual([22, 24, 26]);
    for (const { integrity } of NODE_RELEASES) {
      expect(Object.keys(integrity).sort()).toEqual(['arm64', 'x64']);
      for (const checksum of Object.values(integrity)) expect(checksum).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });

  test('have the release of the image among them', () => {
    const [, major] = /^FROM node:(\d+)-/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
    expect(majors).toContain(Number(major));
  });
});

describe('npm test', () => {
  test('runs everything on its own Node, unit tests on every other release, and each API test on one of these', () => {
    expect(planned([])).toEqual([
      ' 1/1',
      '22 1/3 --selectProjects unit api',
      '24 2/3 --selectProjects unit api',
      '26 3/3 --selectProjects unit api',
    ]);
  });

  test('does not run twice on the release that runs it', () => {
    expect(planned([], { ...machine, version: '24.1.0' })).toEqual([
      ' 1/1',
      '22 1/2 --selectProjects unit api',
      '26 2/2 --selectProjects unit api',
    ]);
  });

  test('runs on its own Node alone where npm has no other for the machine, or where it is told what to run', () => {
    expect(planned([], { ...machine, platform: 'darwin' })).toEqual([' 1/1']);
    expect(planned([], { ...machine, arch: 's390x' })).toEqual([' 1/1']);
    expect(planned(['--quick', 'test/store', '-t', 'name'])).toEqual([' test/store -t name']);
    expect(planned(['--unit', '--quick'])).toEqual([' --selectProjects unit']);
  });

  test('runs on the release that --node names', () => {
    expect(planned(['--node=24', '--quick', 'test/api'])).toEqual(['24 test/api']);
    expect(planned(['--unit', '--node=26'])).toEqual(['26 --selectProjects unit']);
    expect(() => planned(['--node=23'])).toThrow(
      '--node=23 is not among the releases that tests can run on: 22, 24, 26.',
    );
  });

  test('gets an Asterisk only if tests with one may be among those that run', () => {
    for (const args of [[], ['--quick'], ['test/cluster'], ['--quick', 'test/cluster/telephony-asterisk.test.ts']]) {
      expect(wantsAsterisk(args)).toBe(true);
    }
    expect(wantsAsterisk(['--quick', 'test/api/chat'])).toBe(false);
  });
});
