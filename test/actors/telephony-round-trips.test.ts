import type { Kernel } from '../../src/kernel/kernel';
import { openTelephony, type TelephonyStack } from '../support/telephony';
import { INSTANCE_ONE } from '../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  // Nothing else that asks the database by itself.
  stack = await openTelephony({ PBX_SWEEP_MS: '600000', SWEEP_AFTER_MS: '600000' });
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;

/** What is sent to MySQL for one order; each is a round trip, whatever the number of statements in it. */
function listen(kernel: Kernel): () => string[] {
  const sent: string[] = [];
  const look = ({ sql }: { sql: string }) => void sent.push(sql);
  kernel.mysql.on('query', look);
  return () => {
    kernel.mysql.off('query', look);
    // Not part of the order: marks of the outbox, which are written together, and looks in case a push is lost.
    return sent.filter((sql) => !sql.includes('`carried_at`') && !sql.includes('`state` not in'));
  };
}

test('a creation costs the node three round trips to MySQL and the worker three', async () => {
  let id = 6000;
  const create = async () => {
    id += 1;
    const { status } = await stack.people.owner('POST', PATH, { data: { id, name: 'Counted' } });
    expect(status).toBe(201);
  };
  for (let warm = 0; warm < 3; warm += 1) await create();
  const [byNode, byWorker] = [listen(stack.node.kernel), listen(stack.worker)];
  await create();
  // Who it is, the instance, the order.
  expect(byNode()).toHaveLength(3);
  // The fence, the instance and what is due; that it begins, and the extension; that it is done.
  expect(byWorker()).toHaveLength(3);
});
