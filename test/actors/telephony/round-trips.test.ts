import type { Kernel } from '../../../src/kernel/kernel';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  // Turns off everything else that queries the database by itself.
  stack = await openTelephony({ PBX_SWEEP_MS: '600000', SWEEP_INTERVAL_MS: '600000', SWEEP_AFTER_MS: '600000' });
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;

/** The packets sent to MySQL from here on; each is a round trip, whatever its number of statements. */
function listen(kernel: Kernel): string[] {
  const sent: string[] = [];
  kernel.mysql.on('query', ({ sql }: { sql: string }) => {
    // Not part of an order: the poll in case a push is lost, and the first sweep.
    if (!/`state` not in|group by|`(?:finished_at|held_until)` </.test(sql)) sent.push(sql);
  });
  return sent;
}

test('A creation costs the node three round trips to MySQL, and the worker three before its answer and three after it', async () => {
  const [byNode, byWorker] = [listen(stack.node.kernel), listen(stack.worker)];
  let id = 6000;
  const create = async () => {
    byNode.length = 0;
    byWorker.length = 0;
    id += 1;
    const { status } = await stack.people.owner('POST', PATH, { data: { id, name: 'Counted' } });
    expect(status).toBe(201);
    // A worker's last query reads when the next mail is due.
    await until(() => byWorker.at(-1)?.includes('wait_us'));
  };
  for (let warm = 0; warm < 3; warm += 1) await create();
  await create();
  // The caller, the instance, the order.
  expect(byNode).toHaveLength(3);
  // The lease and the mail; the start with the order, the instance and the extension; the end of both. Then whether there
  // is more, the end of the lease, and when the next is due.
  expect(byWorker).toHaveLength(6);
});
