// Shared by the tests of the simulated PBX: a server in this process, the built one as a child, and calls to both.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export const ONE = '00000000-0000-4000-8000-0000000000a1';
export const TWO = '00000000-0000-4000-8000-0000000000a2';

const BUILT = path.resolve(__dirname, '../../../dist/simulators/pbx/main.js');

export interface Reply {
  status: number;
  body: unknown;
  headers: Headers;
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'pbx-'));
}

export function caller(url: string): Call {
  return async (method, target, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await fetch(`${url}${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(5000),
    });
    const answer = await reply.text();
    return { status: reply.status, body: answer === '' ? undefined : JSON.parse(answer), headers: reply.headers };
  };
}

export interface PbxProcess {
  url: string;
  child: ChildProcess;
  output: string[];
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built simulator and waits until it prints its address. */
export async function spawnPbx(dataDir: string): Promise<PbxProcess> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PBX_SIM_PORT: '0' };
  const child = spawn(process.execPath, [BUILT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the simulator did not start: ${output.join('')}`)));
    createInterface(child.stdout).on('line', (line) => {
      output.push(line);
      const found = /listening on (\S+),/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  return {
    url,
    child,
    output,
    end: async (signal) => {
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
