// A real HAProxy on our configuration, and small HTTP servers behind it that a test controls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { fetchPrograms } from '../../../scripts/lib/programs/fetch-programs';
import { onFreePorts } from '../../../scripts/lib/ports';
import { DEAD_PORT } from '../../support/servers/services';

export const CONFIG = resolve(__dirname, '../../../deploy/haproxy.cfg');
const DEAD_NODES = 'haproxy-dead-nodes.lua';

export interface Node {
  name: string;
  port: number;
  server: http.Server;
  /** "METHOD path" of every request except the health checks. */
  seen: string[];
  /** What /readyz does; 'hang' is a frozen process. */
  health: number | 'hang';
  /** How often HAProxy has checked it. */
  checks: number;
  answer: RequestListener;
  stop(): Promise<void>;
  start(): Promise<void>;
  reset(): void;
}

export async function startNode(name: string): Promise<Node> {
  const server = http.createServer((request, response) => {
    if (request.url === '/readyz') {
      node.checks += 1;
      if (node.health !== 'hang') response.writeHead(node.health).end();
      return;
    }
    node.seen.push(`${request.method} ${request.url}`);
    node.answer(request, response);
  });
  const answer = (_: IncomingMessage, response: ServerResponse): void => void response.end(name);
  const node: Node = {
    name,
    port: 0,
    server,
    seen: [],
    health: 200,
    checks: 0,
    answer,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    start: async () => {
      server.listen(node.port, '127.0.0.1');
      await once(server, 'listening');
    },
    reset: () => {
      node.seen.length = 0;
      node.health = 200;
      node.answer = answer;
    },
  };
  // A port that it keeps when it is stopped and started.
  await onFreePorts(async (next) => {
    node.port = await next();
    await node.start();
  });
  return node;
}

export interface Haproxy {
  port: number;
  url: string;
  log: string[];
  stop(): Promise<void>;
}

async function settings(
  nodes: readonly { port: number }[],
  folder: string,
  port: number,
): Promise<{ file: string; env: NodeJS.ProcessEnv }> {
  const { haproxy } = await fetchPrograms(['haproxy']);
  const env = {
    ...process.env,
    ...haproxy.env,
    PARTYLINE_BIND: `127.0.0.1:${port}`,
    PARTYLINE_NODE_1: `127.0.0.1:${nodes[0]?.port}`,
    PARTYLINE_NODE_2: `127.0.0.1:${nodes[1]?.port}`,
    PARTYLINE_MAXCONN: '200',
    PARTYLINE_RUN: folder,
  };
  return { file: haproxy.path, env };
}

/** Our configuration with two lines in both backends for each node after the second, as its header says. */
function configFor(nodes: readonly { port: number }[], folder: string): string {
  const linesOf = (name: string, port: number, more: string) =>
    `  server ${name} 127.0.0.1:${port} ${more}\n  server ${name}-anyway 127.0.0.1:${port} backup\n`;
  const lines = (more: (name: string) => string) =>
    nodes.map(({ port }, at) => linesOf(`node-${at + 1}`, port, more(`node-${at + 1}`))).slice(2);
  const checked = lines(() => 'check').join('');
  const tracked = lines((name) => `track nodes/${name}`).join('');
  const text = fs.readFileSync(CONFIG, 'utf8').replace('\nbackend sockets', `${checked}$&`) + tracked;
  const file = join(folder, 'haproxy.cfg');
  fs.writeFileSync(file, text);
  fs.copyFileSync(resolve(CONFIG, '..', DEAD_NODES), join(folder, DEAD_NODES));
  return file;
}

/** The output of `haproxy -c` for the configuration. */
export async function checkConfig(nodes: readonly Node[]): Promise<{ code: number; output: string }> {
  const { file, env } = await settings(nodes, os.tmpdir(), DEAD_PORT);
  const child = spawn(file, ['-c', '-f', CONFIG], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/** It is up when it answers 200 at the path. `openFiles` limits its open files, and so its connections. */
export const startHaproxy = (nodes: readonly { port: number }[], path = '/', openFiles?: number): Promise<Haproxy> =>
  onFreePorts(async (next) => startOn(await next(), nodes, path, openFiles));

async function startOn(
  port: number,
  nodes: readonly { port: number }[],
  path: string,
  openFiles?: number,
): Promise<Haproxy> {
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'haproxy-'));
  const { file, env } = await settings(nodes, folder, port);
  const args = ['-db', '-f', configFor(nodes, folder)];
  const [program, ...before] =
    openFiles === undefined ? [file] : ['sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, file];
  const child = spawn(program!, [...before, ...args], {
    env: { ...env, ...(openFiles === undefined ? {} : { PARTYLINE_MAXCONN: undefined }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => log.push(bytes.toString()));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isUp = async (): Promise<boolean> =>
    fetch(new URL(path, url)).then(
      (reply) => reply.ok,
      () => false,
    );
  while (child.exitCode === null && !(await isUp())) await pause(20);
  if (child.exitCode !== null) throw new Error(`haproxy did not start: ${log.join('')}`);
  return {
    port,
    url,
    log,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      fs.rmSync(folder, { recursive: true });
    },
  };
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
