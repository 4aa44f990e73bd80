/** Limit: the same node answering a POST that authenticates, reads its form and does nothing. */
import type { Config } from '../../config';
import { sentAnswer } from '../../src/chat/model/answers/messages';
import { text } from '../../src/kernel/http/params';
import { routesFor } from '../../src/kernel/http/route';
import type { Product } from '../../src/kernel/product';
import { chatWireFormat, CACHED_CALLERS } from '../../src/chat/http/wire-format';
import type { User } from '../../src/chat/model/users/user';
import { openNode } from '../../src/node';
import { openChat, type Chat } from '../../src/chat/parts';
import { productsOf, publicUrlOf } from '../../src/products';
import { runProcess } from '../../src/run';

const { post } = routesFor<User>();

const trivial = (config: Config): Product<Chat> => ({
  name: 'bench',
  migrations: __dirname,
  open: (kernel) => Promise.resolve(openChat(kernel, { ...config, publicUrl: publicUrlOf(config) })),
  mount: (chat) => ({
    prefix: '/api/v1/bench',
    wireFormat: chatWireFormat(chat),
    routes: [
      post('/trivial', {
        summary: 'Do nothing',
        answer: sentAnswer,
        admits: [CACHED_CALLERS],
        params: { type: text, to: text, topic: text, content: text },
        run: () => Promise.resolve({ id: 1 }),
      }),
    ],
  }),
});

void runProcess(async (config) => (await openNode(config, [...productsOf(config), trivial(config)])).kernel);
