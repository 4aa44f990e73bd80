// The image's entrypoint becomes the right program, and its health check detects a dead process.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const deploy = path.resolve(__dirname, '../../../deploy');

async function finished(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.trim() };
}

describe('Entrypoint', () => {
  const app = fs.mkdtempSync(path.join(os.tmpdir(), 'image-'));

  beforeAll(() => {
    fs.mkdirSync(path.join(app, 'deploy'));
    fs.mkdirSync(path.join(app, 'bin'));
    fs.cpSync(path.join(deploy, 'entrypoint.sh'), path.join(app, 'deploy/entrypoint.sh'));
    // Stands in for node: prints its pid, directory and arguments, or waits for the signal to stop.
    const stub =
      '#!/bin/sh\n[ "$2" = wait ] || { echo "$$ $PWD $*"; exit 0; }\ntrap "echo stopped; exit 7" TERM\necho up\nwhile :; do sleep 0.05; done\n';
    fs.writeFileSync(path.join(app, 'bin/node'), stub, { mode: 0o755 });
  });

  afterAll(() => fs.rmSync(app, { recursive: true }));

  function start(...args: string[]): ChildProcess {
    const env = { PATH: `${path.join(app, 'bin')}:${process.env['PATH']}` };
    return spawn(path.join(app, 'deploy/entrypoint.sh'), args, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  it.each([
    [[], 'dist/src/main.js'],
    [['node'], 'dist/src/main.js'],
    [['worker'], 'dist/workers/main.js'],
    [['worker', 'housekeeping', 'a b'], 'dist/workers/main.js housekeeping a b'],
    [['cli', 'migrate', '--down'], 'dist/cli/main.js migrate --down'],
    [['pbx-simulator'], 'dist/simulators/pbx/main.js'],
  ])('The entrypoint replaces itself for the arguments %j by node %s', async (args, expected) => {
    const child = start(...args);
    expect(await finished(child)).toEqual({ code: 0, output: `${child.pid} ${fs.realpathSync(app)} ${expected}` });
  });

  it('The entrypoint names the known roles when it gets an unknown one', async () => {
    const { code, output } = await finished(start('web'));
    expect(code).toBe(64);
    expect(output).toContain('node, worker [names], cli <command>, pbx-simulator');
  });

  it('The entrypoint passes SIGTERM on', async () => {
    const child = start('node', 'wait');
    const end = finished(child);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGTERM');
    expect((await end).code).toBe(7);
  });
});

describe('Health check', () => {
  async function check(variables: Record<string, string>): Promise<number | null> {
    const nowhere = { PORT: '1', WORKER_PORT: '1', PBX_SIM_PORT: '1' };
    const child = spawn(process.execPath, [path.join(deploy, 'healthcheck.js')], { env: { ...nowhere, ...variables } });
    return (await finished(child)).code;
  }

  async function withServer(answer: http.RequestListener, use: (port: string) => Promise<void>): Promise<void> {
    const server = http.createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(String((server.address() as AddressInfo).port)).finally(() => {
      server.close();
      server.closeAllConnections();
    });
  }

  it.each(['PORT', 'WORKER_PORT', 'PBX_SIM_PORT'])(
    'The health check succeeds on 200 from /healthz on %s',
    async (name) => {
      const answer: http.RequestListener = (request, response) =>
        response.writeHead(request.url === '/healthz' ? 200 : 404).end();
      await withServer(answer, async (port) => expect(await check({ [name]: port })).toBe(0));
    },
  );

  it('The health check fails on silence, on an error and if nothing listens', async () => {
    expect(await check({})).toBe(1);
    await withServer(
      (_, response) => response.writeHead(503).end(),
      async (port) => {
        expect(await check({ PORT: port })).toBe(1);
      },
    );
    await withServer(
      () => undefined,
      async (port) => {
        expect(await check({ PORT: port })).toBe(1);
      },
    );
  });
});
