import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The log writes to stdout by itself, so it is watched from outside. */
function logged(expression: string): string {
  const script = `const { openLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    openLog('info', 'n').info(${expression}, 'message');`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout;
}

test('credentials are censored by name, at the top and inside', () => {
  const line = logged(`{ password: 'canary', body: { api_key: 'canary', secret: 'canary' },
    request: { headers: { authorization: 'canary', cookie: 'canary' } }, data: { voicemail_vmpwd: 'canary' }, path: '/x' }`);
  expect(line).toContain('"path":"/x"');
  expect(line).toContain('[secret]');
  expect(line).not.toContain('canary');
});

test('an error keeps its message and its stack', () => {
  const line = JSON.parse(logged(`{ error: new Error('broken') }`)) as {
    error: { message: string; stack: string };
    node: string;
  };
  expect(line.error.message).toBe('broken');
  expect(line.error.stack).toContain('Error: broken');
  expect(line.node).toBe('n');
});

test('neither does an error tell what it carries, nor a list what is in it', () => {
  const line = logged(`{ error: Object.assign(new Error('broken'), { config: { token: 'canary' } }),
    tries: [{ token: 'canary', status: 401 }] }`);
  expect(line).toContain('"status":401');
  expect(line).not.toContain('canary');
});

test('what is logged is not changed by it', () => {
  const script = `const { openLog } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const body = { request: { password: 'canary' } };
    openLog('info', 'n').info(body, 'message');
    console.log(body.request.password);`;
  expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout).toMatch(/^canary$/m);
});

test('lines about requests are written also when the process ends at once', () => {
  const script = `const { openLog, openRequestLines } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const lines = openRequestLines(openLog('info', 'n'));
    for (const path of ['/a', '/b']) lines.write({ requestId: 'r', method: 'GET', path, status: 200, ms: 1 });
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const written = stdout.trim().split('\n');
  expect(written.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(['/a', '/b']);
});

test('all logs of a process write what they kept back, and watch its end together', () => {
  const script = `const { openLog, openRequestLines } = require(${JSON.stringify(join(__dirname, '../../../dist/src/kernel/log.js'))});
    const counts = [];
    for (let at = 0; at < 20; at += 1) {
      openRequestLines(openLog('info', 'n')).write({ requestId: 'r', method: 'GET', path: '/' + at, status: 200, ms: 1 });
      counts.push(process.listenerCount('exit'));
    }
    console.error(counts.at(-1) - counts[0]);
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stdout.match(/"path":"[^"]*"/g)).toEqual(Array.from({ length: 20 }, (_, at) => `"path":"/${at}"`));
  expect(stderr).toBe('0\n');
});
