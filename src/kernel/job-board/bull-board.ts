/** Bull Board itself: what it shows is masked. */
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Context, Middleware } from 'koa';
import type { Queue } from '../jobs/shelf';
import { maskSecrets, maskText } from '../mask';

export interface Board {
  show(queues: readonly Queue[]): void;
  serve(ctx: Context, next: () => Promise<void>): Promise<void>;
}

export type OpenBoard = (path: string, readOnlyMode: boolean) => Board;

/** Jobs come from the product: none are added by hand, nor rewritten, which would write the masks into them. */
const NOT_SERVED: ReadonlySet<string> = new Set([
  '/api/queues/:queueName/add',
  '/api/queues/:queueName/:jobId/update-data',
]);

class ProductsJobs extends KoaAdapter {
  override setApiRoutes(routes: Parameters<KoaAdapter['setApiRoutes']>[0]): KoaAdapter {
    const isServed = (path: string) => !NOT_SERVED.has(path);
    return super.setApiRoutes(routes.filter(({ route }) => [route].flat().every(isServed)));
  }
}

export const openBoard: OpenBoard = (path, readOnlyMode) => {
  const adapter = new ProductsJobs();
  adapter.setBasePath(path);
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: readOnlyMode ? 'Partyline queues (read-only)' : 'Partyline queues' } },
  });
  const plugin = adapter.registerPlugin({ mount: path }) as unknown as Middleware;
  return {
    show: (queues) => board.replaceQueues(queues.map((queue) => shown(queue, readOnlyMode))),
    serve: async (ctx, next) => void (await plugin(ctx as never, next)),
  };
};

function shown(queue: Queue, readOnlyMode: boolean): BullMQAdapter {
  const adapter = new BullMQAdapter(queue, { readOnlyMode, allowRetries: !readOnlyMode });
  for (const field of ['data', 'returnValue', 'progress'] as const) {
    adapter.setFormatter(field, (value: unknown) => maskSecrets(value));
  }
  adapter.setFormatter('name', (job: { name?: string }) => maskText(String(job.name ?? '')));
  return adapter;
}
