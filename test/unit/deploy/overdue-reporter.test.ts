// What npm test says of tests that hang.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONG_MS, RunningTests } from '../../../scripts/lib/overdue-reporter';
import { isAlive } from '../../../scripts/lib/processes';

const root = join(__dirname, '../../..');
const fileOf = (name: string) => ({ path: join(root, name) });

test('A test that runs for long is named, and again after as long a time', () => {
  const running = new RunningTests();
  running.begins(fileOf('test/a.test.ts'), 'waits for ever', 0);
  running.begins(fileOf('test/b.test.ts'), 'is quick', LONG_MS / 2);
  const named = 'test/a.test.ts › waits for ever';
  expect(running.overdue(LONG_MS - 1)).toEqual([]);
  expect(running.overdue(LONG_MS)).toEqual([`${named} (10 min)`]);
  expect(running.overdue(LONG_MS + 1)).toEqual([]);
  running.ends(fileOf('test/b.test.ts'));
  expect(running.overdue(2 * LONG_MS)).toEqual([`${named} (20 min)`]);
});

/** What the reporter does in a process that does not end by itself. */
function reportIn(script: string, endsAt: string) {
  const directory = mkdtempSync(join(tmpdir(), 'overdue-'));
  const counts = join(directory, 'counts.json');
  const whole = `
    const Reporter = require('./scripts/lib/overdue-reporter');
    const reporter = new Reporter({}, { checkMs: 5, endingMs: 10 });
    const [one, two] = ['one', 'two'].map((name) => ({ path: require('node:path').resolve('test', name) }));
    ${script}
    setInterval(() => {}, 1000);`;
  const env = { ...process.env, TESTS_END_AT: endsAt, PARTYLINE_COUNTS: counts };
  const { status, stderr } = spawnSync(process.execPath, ['-e', whole], { cwd: root, env, encoding: 'utf8' });
  const written: unknown = JSON.parse(readFileSync(counts, 'utf8'));
  rmSync(directory, { recursive: true });
  return { status, stderr, counts: written };
}

test('When the time of the run is over, what still runs is named and counted as failed, and jest ends', () => {
  const script = `
    reporter.onTestFileStart(one);
    reporter.onTestFileStart(two);
    reporter.onTestFileResult(one, { numPassingTests: 3, numFailingTests: 1 });
    reporter.onTestCaseStart(two, { fullName: 'it hangs' });`;
  expect(reportIn(script, '0')).toEqual({
    status: 1,
    stderr: 'FAIL the time of the run is over: test/two › it hangs (0 min)\n',
    counts: { passed: 3, failed: 2 },
  });
});

test('A file that could not run counts as one failure, also if jest has to be ended', () => {
  const script = `
    reporter.onRunStart({ numTotalTestSuites: 1 });
    reporter.onTestFileResult(one, { numPassingTests: 0, numFailingTests: 0, testExecError: new Error('no such file') });`;
  const { status, counts } = reportIn(script, String(Number.MAX_SAFE_INTEGER));
  expect([status, counts]).toEqual([1, { passed: 0, failed: 1 }]);
});

test('Jest ends with its workers when all tests are over, although one of them does not', () => {
  const script = `
    const child = require('node:child_process').spawn('sleep', ['600']);
    require('node:fs').writeSync(2, String(child.pid) + ' ');
    reporter.onRunStart({ numTotalTestSuites: 1 });
    reporter.onTestFileStart(one);
    reporter.onTestFileResult(one, { numPassingTests: 3, numFailingTests: 0 });`;
  const { stderr, ...rest } = reportIn(script, String(Number.MAX_SAFE_INTEGER));
  expect(rest).toEqual({ status: 0, counts: { passed: 3, failed: 0 } });
  expect(stderr).toContain('All tests are over, and jest still waits for its workers. Ended it.');
  expect(isAlive(Number.parseInt(stderr))).toBe(false);
});
