/** Limit: the same node, answering a POST that authenticates its caller, reads its form and does nothing. */
import { text } from '../../src/kernel/http/params';
import { routesFor } from '../../src/kernel/http/route';
import type { Product } from '../../src/kernel/product';
import { chatDialect, RECENT_CALLERS } from '../../src/chat/http/dialect';
import type { User } from '../../src/chat/model/user';
import { openNode } from '../../src/node';
import { productsOf } from '../../src/products';
import { runProcess } from '../../src/run';

const { post } = routesFor<User>();

const trivial: Product = {
  name: 'bench',
  migrations: __dirname,
  mount: () => ({
    prefix: '/api/v1/bench',
    dialect: chatDialect,
    routes: [
      post('/trivial', {
        summary: 'Do nothing',
        admits: [RECENT_CALLERS],
        params: { type: text, to: text, topic: text, content: text },
        run: () => Promise.resolve({ id: 1 }),
      }),
    ],
  }),
};

void runProcess(async (config) => (await openNode(config, [...productsOf(config), trivial])).kernel);
