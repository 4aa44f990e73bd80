/** The parts of the set-up scripts that can be tested without starting anything. */

import fc from 'fast-check';
import { mkdtempSync, readFileSync, writeFileSync, closeSync } from 'node:fs';
import path from 'node:path';
import { firstError, parsePrintUris } from '../../scripts/lib/programs/apt';
import { readCounts } from '../../scripts/lib/test/jest-run';
import { composeFile } from '../../scripts/lib/servers/docker-servers';
import { withEnvironment, writeEnvironment } from '../../scripts/lib/start/environment-file';
import { faultTable, figureTable } from '../../scripts/lib/test/fault-table';
import { openLog } from '../../scripts/lib/start/log-files';
import { checkNodeVersion } from '../../scripts/lib/node-version';
import { privateDirectory } from '../../scripts/lib/paths';
import { librariesIn } from '../../scripts/lib/programs/apt-suite';
import { parseVersion } from '../../scripts/lib/programs/programs';
import { wantsColour } from '../../scripts/lib/progress';
import { nodeUrl, readSettings } from '../../scripts/lib/start/settings';
import { nextDelay } from '../../scripts/lib/start/supervise';

const directory = () => mkdtempSync(path.join(process.env['TEST_RUN_DIR'] ?? '', 'parts-'));

describe('apt', () => {
  const plan = `Reading package lists...
'http://mirror.example/pool/l/liblzf1_3.6-3_amd64.deb' liblzf1_3.6-3_amd64.deb 10192 MD5Sum:698d88f6
'http://mirror.example/m/mariadb%2b1.deb' mariadb-server-core_1%3a10.11.19-0+deb12u1_amd64.deb 7342456
'http://mirror.example/r.deb' redis-tools_5%3a7.0.15-1~deb12u10_amd64.deb 991988 SHA256:00
`;

  test('Packages in the output of apt-get are read with their exact versions', () => {
    expect(parsePrintUris(plan)).toEqual([
      { name: 'liblzf1', version: '3.6-3', bytes: 10192 },
      { name: 'mariadb-server-core', version: '1:10.11.19-0+deb12u1', bytes: 7342456 },
      { name: 'redis-tools', version: '5:7.0.15-1~deb12u10', bytes: 991988 },
    ]);
  });

  test('Text without a package file yields no package', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('.deb'));
        expect(parsePrintUris(text)).toEqual([]);
      }),
    );
  });

  test('The first error of apt-get is reported', () => {
    expect(firstError('W: slow\nE: Unable to locate package x\nE: more')).toBe('Unable to locate package x');
    expect(firstError('')).toBe('apt-get failed');
  });
});

test('The libraries of a package are read from its own dependencies', () => {
  const depends =
    'adduser, asterisk-config (>= 1) | other, libc6 (>= 2.38), libssl3t64 (>= 3), libc6 (<< 3), lib-x|lib-y';
  expect(librariesIn(depends)).toEqual(['libc6', 'libssl3t64', 'lib-x']);
});

describe('Versions', () => {
  test.each([
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0', '7.0.15'],
    ['/tmp/a-1.2/v=x/usr/sbin/mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian', '10.11.19'],
    ['HAProxy version 2.6.12-1+deb12u4 2026/01/01', '2.6.12'],
    ['version: kamailio 5.6.3 (x86_64/linux)', '5.6.3'],
    ['Asterisk 22.10.1+dfsg+~cs6.17.60671434-1', '22.10.1'],
    ['\n SIPp v3.6.1-SCTP-PCAP-RTPSTREAM.\n', '3.6.1'],
    ['Erlang (SMP,ASYNC_THREADS) (BEAM) emulator version 13.1.5', '13.1.5'],
    ['Lua 5.4.4  Copyright (C) 1994-2022 Lua.org, PUC-Rio', '5.4.4'],
  ])('The version in the text "%s" is read', (text, version) => expect(parseVersion(text)?.text).toBe(version));

  test('A text without a version yields no version', () => expect(parseVersion('command not found')).toBeUndefined());

  test('A Node version that is too old is refused in one line', () => {
    for (const version of ['18.20.0', '20.18.9']) {
      expect(() => checkNodeVersion(version)).toThrow(`Node ${version} is too old`);
    }
    for (const version of ['20.19.0', '22.0.0', '24.1.2']) expect(() => checkNodeVersion(version)).not.toThrow();
  });
});

test('The back-off doubles from 250 ms to 10 s, and a long run resets it', () => {
  const delays = Array.from({ length: 8 }).reduce<number[]>((all) => [...all, nextDelay(all.at(-1) ?? 0, 100)], []);
  expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(nextDelay(10_000, 30_000)).toBe(250);
});

test('A test suite that cannot run counts as one failure, and so does a run that jest aborts', () => {
  const results = path.join(directory(), 'results.json');
  expect(readCounts(results, false)).toEqual({ passed: 0, failed: 1 });
  writeFileSync(results, JSON.stringify({ numPassedTests: 12, numFailedTests: 2, numRuntimeErrorTestSuites: 1 }));
  expect(readCounts(results, false)).toEqual({ passed: 12, failed: 3 });
  writeFileSync(results, JSON.stringify({ numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }));
  expect(readCounts(results, true)).toEqual({ passed: 12, failed: 0 });
  expect(readCounts(results, false)).toEqual({ passed: 12, failed: 1 });
});

test('The table of faults has a row for every test and every broken suite', () => {
  const assertionResults = [{ fullName: 'a node dies', status: 'passed', duration: 1234 }];
  const testResults = [
    { name: 'a.test.ts', status: 'passed', assertionResults },
    { name: 'b.test.ts', status: 'failed', assertionResults: [] },
  ];
  const [, first, second] = faultTable({ testResults }).split('\n');
  expect(first).toMatch(/^passed +1\.2 {2}a node dies$/);
  expect(second).toMatch(/^failed +b\.test\.ts$/);
});

test('The table of figures has a row for every fault and kind of work that a test noted', () => {
  const figures = { sent: 9, acknowledged: 8, received: 8, lost: 0, doubled: 0, seconds: 0.9 };
  const noted = `${JSON.stringify({ fault: 'primary killed', kind: 'texts', ...figures })}\n`;
  expect(figureTable(noted).split('\n')[1]).toMatch(/^ +9 +8 +8 +0 +0 +0\.9 {2}primary killed: texts$/);
  expect(figureTable('')).toBe('');
});

describe('Settings', () => {
  test('The settings have the documented defaults', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 9991, nodes: 2, workers: 1, pbxPort: 9981 });
    expect(settings).toMatchObject({ nodeEnv: 'development', production: false, redisUrl: undefined });
    expect(path.basename(settings.dataDir)).toBe('.data');
  });

  test('A base port that leaves no port for the last node is refused', () => {
    expect(() => readSettings({ PORT: '65535' })).toThrow('PORT must be');
    expect(readSettings({ PORT: '65535', NODES: '1' }).port).toBe(65_535);
  });

  test.each([
    ['0.0.0.0', 'http://127.0.0.1:9992'],
    ['::', 'http://[::1]:9992'],
    ['::1', 'http://[::1]:9992'],
    ['10.0.0.7', 'http://10.0.0.7:9992'],
  ])('On host %s the second node is at %s', (HOST, url) =>
    expect(nodeUrl(readSettings({ HOST, AUTH_METHODS: 'password' }), 1)).toBe(url),
  );
});

test('NO_COLOR and a dumb terminal are respected', () => {
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
  expect(wantsColour({}, {})).toBe(false);
});

test('A log that has grown too large is set aside', () => {
  const place = directory();
  writeFileSync(path.join(place, 'node-1.log'), 'old words');
  const log = openLog(place, 'node-1', 5);
  writeFileSync(log.descriptor, 'new words');
  closeSync(log.descriptor);
  expect(log.since()).toBe('new words');
  expect(readFileSync(path.join(place, 'node-1.log.1'), 'utf8')).toBe('old words');
});

test('Variables that the user has set win over the environment file of the running stack', () => {
  const place = directory();
  privateDirectory(path.join(place, 'run'));
  writeEnvironment(place, { REDIS_URL: 'redis://a', DATABASE_URL: 'mysql://a', PORT: '1', PRODUCTS: 'chat' });
  expect(withEnvironment(place, { PORT: '2', REDIS_URL: '' })).toMatchObject({
    REDIS_URL: 'redis://a',
    DATABASE_URL: 'mysql://a',
    PORT: '2',
    PRODUCTS: 'chat',
  });
  const both = { REDIS_URL: 'redis://b', DATABASE_URL: 'mysql://b' };
  expect(withEnvironment(place, both)).toBe(both);
});

test('The compose file publishes on loopback only and holds no password', () => {
  const serverAt = (port: number) => ({ port, password: 'secret-word' });
  const text = composeFile(['redis', 'mariadb'], { redis: serverAt(6001), mariadb: serverAt(6002) });
  expect(text).not.toContain('secret-word');
  expect(text.match(/"127\.0\.0\.1:\d+:\d+"/g)).toEqual(['"127.0.0.1:6001:6379"', '"127.0.0.1:6002:3306"']);
});
