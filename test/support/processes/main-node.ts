/** A web node as in production: a separate process that a test can kill, freeze and restart on the same port. */
import { onFreePorts } from '../../../scripts/lib/ports';
import { clientOf, type TestClient } from '../http/client';
import type { Environment } from '../kernel/cluster';
import { startProcess, type TestProcess } from './processes';
import { until } from '../until';

export interface MainNode extends TestProcess, TestClient {
  readonly url: string;
  readonly port: number;
}

/**
 * Resolves once it is ready. It may be of another release, in a folder of its own. Not on port 0: the system also
 * assigns those ports to connections, and the node must get its own port again.
 */
export const startMainNode = (environment: Environment, port?: number, folder?: string): Promise<MainNode> =>
  onFreePorts(async (next) => startOn(port ?? (await next()), environment, folder));

async function startOn(port: number, environment: Environment, folder?: string): Promise<MainNode> {
  const child = startProcess('src/main.ts', { ...environment, PORT: String(port) }, [], folder);
  const url = `http://127.0.0.1:${port}`;
  const client = clientOf(url);
  const isReady = until(
    () =>
      client.call('/readyz').then(
        ({ status }) => status,
        () => child.output(),
      ),
    (status) => status === 200,
  );
  const hasEnded = child.ended.then((how) => Promise.reject(new Error(`the node ended (${how}):\n${child.output()}`)));
  await Promise.race([isReady, hasEnded]);
  return { ...child, ...client, url, port };
}
