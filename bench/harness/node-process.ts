/** One node of the product in its own process, ready to serve. */
import { setTimeout as wait } from 'node:timers/promises';
import { onFreePorts } from '../../scripts/lib/ports';
import { startScript, type Child } from './children';
import type { Bench } from './stage';

export interface NodeProcess extends Child {
  readonly port: number;
}

const READY_WITHIN_MS = 15_000;

/** It logs every request, as nodes do, but the log is discarded, so it cannot say which port it got. */
export const startNode = (
  bench: Bench,
  more: Readonly<Record<string, string>> = {},
  script = 'src/main.js',
): Promise<NodeProcess> => onFreePorts(async (next) => startOn(await next(), bench, more, script));

async function startOn(
  port: number,
  bench: Bench,
  more: Readonly<Record<string, string>>,
  script: string,
): Promise<NodeProcess> {
  const child = startScript(script, { ...bench.environment, LOG_LEVEL: 'info', ...more, PORT: String(port) });
  let ended: string | undefined;
  void child.exit.then((how) => (ended = how));
  const end = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(port))) {
    if (ended !== undefined) throw new Error(ended);
    if (Date.now() > end) throw new Error(`the node was not ready within ${READY_WITHIN_MS} ms`);
    await wait(50);
  }
  return { ...child, port };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** The development key of a demo account, from a development node. */
export async function developmentKey(node: NodeProcess, email: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${node.port}/api/v1/dev_fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: email }),
  });
  const { api_key: key, msg } = (await answer.json()) as { api_key?: string; msg: string };
  if (key === undefined) throw new Error(`there is no key for ${email}: ${msg}`);
  return key;
}
