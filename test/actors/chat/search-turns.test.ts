import { fillSearchIndex } from '../../../src/chat/commands/reading/fill-search-index';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import { openOrganisations, type Organisation, type Organisations } from '../../support/chat/organisations';

const MANY = 450;

let opened: Organisations;

beforeAll(async () => {
  opened = await openOrganisations();
});
afterAll(() => opened.cluster.close());

async function say({ owner }: Organisation, content: string): Promise<void> {
  const { status, text } = await owner.post('/messages', {
    type: 'private',
    to: JSON.stringify(['owner@example.com']),
    content,
  });
  if (status !== 200) throw new Error(text);
}

/** In the order in which the index progressed with their messages. */
async function filled(): Promise<RealmId[]> {
  const { kernel } = opened.node;
  const order: RealmId[] = [];
  const look = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) => {
    if (sql.startsWith('update `chat_search_cursors`')) order.push(bindings[1] as RealmId);
  };
  kernel.mysql.on('query', look);
  await fillSearchIndex(kernel, kernel.lifecycle.draining);
  kernel.mysql.off('query', look);
  return order;
}

test('Organisations take turns in the search index, so a busy one does not delay the others', async () => {
  const { acme, beta } = opened;
  await filled();
  await Promise.all(Array.from({ length: MANY }, (_, at) => say(acme, `one of many ${at}`)));
  await say(beta, 'the only one');
  const order = await filled();
  expect(order).toHaveLength(4);
  expect(new Set(order.slice(0, 2))).toEqual(new Set([acme.id, beta.id]));
  expect(order.slice(2)).toEqual([acme.id, acme.id]);
  expect(await filled()).toEqual([]);
});
