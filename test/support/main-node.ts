/** A web node as in production: a process of its own, to be killed, frozen and started again in the same place. */
import { freePort } from '../../scripts/lib/ports';
import { clientOf, type TestClient } from './client';
import type { Environment } from './cluster';
import { startProcess, type TestProcess } from './processes';
import { until } from './until';

export interface MainNode extends TestProcess, TestClient {
  readonly url: string;
  readonly port: number;
}

/** Resolves once it is ready to serve. It may be one of another release, which lies in a folder of its own. */
export async function startMainNode(environment: Environment, port?: number, folder?: string): Promise<MainNode> {
  const own = port ?? (await freePort());
  const child = startProcess('src/main.ts', { ...environment, PORT: String(own) }, [], folder);
  const url = `http://127.0.0.1:${own}`;
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
  return { ...child, ...client, url, port: own };
}
