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

describe('Node releases', () => {
  test('The tests run on one release of each supported line, pinned by a checksum for both processors', () => {
    expect(majors).toEqual([22, 24, 26]);
    for (const { integrity } of NODE_RELEASES) {
      expect(Object.keys(integrity).sort()).toEqual(['arm64', 'x64']);
      for (const checksum of Object.values(integrity)) expect(checksum).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });

  test('The Node release of the image is among those that the tests run on', () => {
    const [, major] = /^FROM node:(\d+)-/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
    expect(majors).toContain(Number(major));
  });
});

describe('npm test', () => {
  test('A full run uses its own Node for all, each other release for unit tests and a share of the API tests', () => {
    expect(planned([])).toEqual([
      ' 1/1',
      '22 1/3 --selectProjects unit api',
      '24 2/3 --selectProjects unit api',
      '26 3/3 --selectProjects unit api',
    ]);
  });

  test('A full run does not use the release of its own Node twice', () => {
    expect(planned([], { ...machine, version: '24.1.0' })).toEqual([
      ' 1/1',
      '22 1/2 --selectProjects unit api',
      '26 2/2 --selectProjects unit api',
    ]);
  });

  test('A run uses only its own Node if npm has no other for the machine, or if arguments choose tests', () => {
    expect(planned([], { ...machine, platform: 'darwin' })).toEqual([' 1/1']);
    expect(planned([], { ...machine, arch: 's390x' })).toEqual([' 1/1']);
    expect(planned(['--quick', 'test/store', '-t', 'name'])).toEqual([' test/store -t name']);
    expect(planned(['--unit', '--quick'])).toEqual([' --selectProjects unit']);
  });

  test('A run uses the release that --node names', () => {
    expect(planned(['--node=24', '--quick', 'test/api'])).toEqual(['24 test/api']);
    expect(planned(['--unit', '--node=26'])).toEqual(['26 --selectProjects unit']);
    expect(() => planned(['--node=23'])).toThrow(
      '--node=23 is not among the releases that tests can run on: 22, 24, 26.',
    );
  });

  test('A run gets an Asterisk only if it may include tests that need one', () => {
    for (const args of [[], ['--quick'], ['test/cluster'], ['--quick', 'test/cluster/telephony-asterisk.test.ts']]) {
      expect(wantsAsterisk(args)).toBe(true);
    }
    expect(wantsAsterisk(['--quick', 'test/api/chat'])).toBe(false);
  });
});
