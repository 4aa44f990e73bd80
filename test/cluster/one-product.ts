/** An installation of one product: a fresh database that only this product has migrated, a node and a worker. */
import { onFreePorts } from '../../scripts/lib/ports';
import { cliOf, type Cli } from '../api/cli/run';
import { clientOf, type TestClient } from '../support/http/client';
import { openCluster, type Cluster, type Environment } from '../support/kernel/cluster';
import { openTestDatabase } from '../support/kernel/database';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { startProcess, type TestProcess } from '../support/processes/processes';

export interface OneProduct {
  readonly cli: Cli;
  readonly cluster: Cluster;
  /** The output of `partyline migrate` and `partyline seed`. */
  readonly set: { readonly migrated: readonly string[]; readonly seeded: unknown };
  readonly node: MainNode;
  readonly worker: TestProcess & { readonly probes: TestClient; readonly names: readonly string[] };
  close(): Promise<void>;
}

export async function openOneProduct(product: string, more: Environment = {}): Promise<OneProduct> {
  const database = await openTestDatabase({ migrated: false });
  const cluster = await openCluster({ DATABASE_URL: database.url, PRODUCTS: product, RATE_LIMIT: 'off', ...more });
  const { environment } = cluster;
  const cli = cliOf(environment);
  const migrated = (await cli(['migrate', '--json'])).json.up as string[];
  const seeded = (await cli(['seed', '--json'])).json as unknown;
  const node = await startMainNode(environment);
  return {
    cli,
    cluster,
    set: { migrated, seeded },
    node,
    worker: await startWorker(environment),
    async close() {
      await cluster.close();
      await database.drop();
    },
  };
}

/** Its port cannot be 0, with which it would not listen at all. */
const startWorker = (environment: Environment): Promise<OneProduct['worker']> =>
  onFreePorts(async (next) => {
    const port = await next();
    const worker = startProcess('workers/main.ts', { ...environment, LOG_LEVEL: 'info', WORKER_PORT: String(port) });
    const [line] = await worker.line(/^.*"worker ready".*$/m);
    const { workers: names } = JSON.parse(line) as { workers: string[] };
    return { ...worker, names, probes: clientOf(`http://127.0.0.1:${port}`) };
  });

/** Asks both processes to stop, and returns their exit codes. */
export function stop({ node, worker }: OneProduct): Promise<(number | NodeJS.Signals)[]> {
  node.kill('SIGTERM');
  worker.kill('SIGTERM');
  return Promise.all([node.ended, worker.ended]);
}

export const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** The products whose routes an OpenAPI document has. */
export const tagsOf = ({ paths }: { paths: Record<string, Record<string, { tags: string[] }>> }): string[] =>
  distinct(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));
