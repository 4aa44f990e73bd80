import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The log writes to stdout by itself, so a child process is observed. */
function logged(expression: string): string {
  const script = `const { openLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    openLog('info', 'n').info(${expression}, 'message');`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout;
}

test('Credentials are masked by name in a log line, at the top level and inside', () => {
  const line = logged(`{ password: 'canary', body: { api_key: 'canary', secret: 'canary' },
    request: { headers: { authorization: 'canary', cookie: 'canary' } }, data: { voicemail_vmpwd: 'canary' }, path: '/x' }`);
  expect(line).toContain('"path":"/x"');
  expect(line).toContain('[secret]');
  expect(line).not.toContain('canary');
});

test('An error in a log line keeps its message and its stack', () => {
  const line = JSON.parse(logged(`{ error: new Error('broken') }`)) as {
    error: { message: string; stack: string };
    node: string;
  };
  expect(line.error.message).toBe('broken');
  expect(line.error.stack).toContain('Error: broken');
  expect(line.node).toBe('n');
});

test('Secrets in the fields of an error and in lists are masked in a log line', () => {
  const line = logged(`{ error: Object.assign(new Error('broken'), { config: { token: 'canary' } }),
    tries: [{ token: 'canary', status: 401 }] }`);
  expect(line).toContain('"status":401');
  expect(line).not.toContain('canary');
});

test('Logging a value does not change it', () => {
  const script = `const { openLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const body = { request: { password: 'canary' } };
    openLog('info', 'n').info(body, 'message');
    console.log(body.request.password);`;
  expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout).toMatch(/^canary$/m);
});

test('Log lines are written even if the process exits at once', () => {
  const script = `const { openLog, requestLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const log = requestLog(openLog('info', 'n'));
    for (const path of ['/a', '/b']) log.info({ requestId: 'r', method: 'GET', path, status: 200, ms: 1 }, 'request');
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  // The first write may still be running when the end of the process makes the second.
  const written = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string })
    .sort((one, other) => one.path.localeCompare(other.path));
  const line = { level: 30, node: 'n', requestId: 'r', method: 'GET', status: 200, ms: 1, msg: 'request' };
  expect(written).toEqual(['/a', '/b'].map((path) => ({ ...line, path, time: expect.any(String) })));
});

test('Log lines are written even if the process blocks and is killed', () => {
  const script = `const { openLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const log = openLog('info', 'n');
    log.warn('last words');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    process.kill(process.pid, 'SIGKILL');`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stdout).toContain('"msg":"last words"');
});

test('All logs of a process are flushed at its exit, by one shared listener', () => {
  const script = `const { openLog, requestLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const counts = [];
    for (let at = 0; at < 20; at += 1) {
      requestLog(openLog('info', 'n')).info({ path: '/' + at }, 'request');
      counts.push(process.listenerCount('exit'));
    }
    console.error(counts.at(-1) - counts[0]);
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const paths = Array.from({ length: 20 }, (_, at) => `"path":"/${at}"`);
  expect(stdout.match(/"path":"[^"]*"/g)?.sort()).toEqual(paths.sort());
  expect(stderr).toBe('0\n');
});
