import { killAll, startProcess } from '../support/processes/processes';

afterAll(killAll);

test.each([
  ['src/main.ts', { HOST: '0.0.0.0' }],
  ['src/main.ts', { HOST: '::', NODE_ENV: 'test' }],
  ['workers/main.ts', { HOST: '0.0.0.0' }],
])('%s with %j exits before it listens, because anyone could sign in with one click', async (script, environment) => {
  const started = startProcess(script, environment);
  expect(await started.ended).toBe(1);
  expect(started.output()).toContain('set NODE_ENV=production, HOST=127.0.0.1, or AUTH_METHODS without dev');
});
