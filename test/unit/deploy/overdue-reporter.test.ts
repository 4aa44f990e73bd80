// What npm test says of tests that hang.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONG_MS, RunningTests } from '../../../scripts/lib/overdue-reporter';

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

test('When the time of the run is over, what still runs is named and counted as failed, and jest ends', () => {
  const directory = mkdtempSync(join(tmpdir(), 'overdue-'));
  const counts = join(directory, 'counts.json');
  const script = `
    const Reporter = require('./scripts/lib/overdue-reporter');
    const reporter = new Reporter({}, { checkMs: 5 });
    const [one, two] = ['one', 'two'].map((name) => ({ path: require('node:path').resolve('test', name) }));
    reporter.onTestFileStart(one);
    reporter.onTestFileStart(two);
    reporter.onTestFileResult(one, { numPassingTests: 3, numFailingTests: 1 });
    reporter.onTestCaseStart(two, { fullName: 'it hangs' });
    setInterval(() => {}, 1000);`;
  const env = { ...process.env, TESTS_END_AT: '0', PARTYLINE_COUNTS: counts };
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, env, encoding: 'utf8' });
  expect(stderr).toBe('FAIL the time of the run is over: test/two › it hangs (0 min)\n');
  expect(status).toBe(1);
  expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({ passed: 3, failed: 2 });
  rmSync(directory, { recursive: true });
});
