// A real nginx on deploy/nginx.conf.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetchPrograms } from '../../../scripts/lib/programs/fetch-programs';
import { onFreePorts } from '../../../scripts/lib/ports';
import { startServer } from '../../../scripts/lib/servers/server-process';

export const CONFIG = resolve(__dirname, '../../../deploy/nginx.conf');

type Nodes = readonly [{ readonly port: number }, { readonly port: number }];

/** Our configuration, with these addresses, and with its files in this folder. */
function configuration(port: number, nodes: Nodes, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => {
    mkdirSync(join(folder, each), { recursive: true });
    return `${each}_temp_path ${join(folder, each)};`;
  });
  return readFileSync(CONFIG, 'utf8')
    .replaceAll('node-1:9991', `127.0.0.1:${nodes[0].port}`)
    .replaceAll('node-2:9991', `127.0.0.1:${nodes[1].port}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http {', `http {\n${temporary.join('\n')}`);
}

/** It is up when it answers 200 at the path. */
export async function startNginx(nodes: Nodes, path = '/'): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const { nginx: program } = await fetchPrograms(['nginx']);
  const file = join(folder, 'nginx.conf');
  const own = `daemon off; master_process off; pid ${join(folder, 'pid')};`;
  const args = ['-e', 'stderr', '-p', folder, '-c', file, '-g', own];
  const { url, server } = await onFreePorts(async (next) => {
    const port = await next();
    writeFileSync(file, configuration(port, nodes, folder));
    const address = `http://127.0.0.1:${port}`;
    const isReady = async () => (await fetch(`${address}${path}`)).ok;
    const command = { command: program.path, args, env: program.env, isReady };
    return { url: address, server: await startServer('nginx', command, folder) };
  });
  return {
    url,
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
