import type { AnyConsumer } from '../../../src/kernel/jobs/consume';
import { countWork } from '../../../src/kernel/mysql/round-trips';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE } from '../../api/telephony/people';

/** What the worker has sent to MySQL for its jobs, whatever else its process does meanwhile, and how many are over. */
const byWorker = { roundTrips: 0, statements: 0, over: 0 };

const counted = (consumer: AnyConsumer): AnyConsumer => ({
  ...consumer,
  run: (...given) => countWork([byWorker], () => consumer.run(...given)),
  async after(...given) {
    await countWork([byWorker], async () => consumer.after?.(...given));
    byWorker.over += 1;
  },
});

let stack: TelephonyStack;

beforeAll(async () => {
  // The node does not look for answers itself: that is in case a push is lost.
  const alone = { COUNT_ROUND_TRIPS: 'on', JOB_REPLY_POLL_MS: '600000' };
  stack = await openTelephony({ ...alone, SWEEP_AFTER_MS: '600000', PBX_SWEEP_MS: '600000' }, 'simulated', counted);
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;

/** What the node has sent to MySQL for requests of this kind. */
async function byNode(): Promise<number> {
  const { text } = await stack.node.call('/metrics');
  const line = text
    .split('\n')
    .find((each) => /^partyline_http_mysql_round_trips_total.*bulks\/extensions",method="POST"/.test(each));
  return Number(line?.split(' ').at(-1));
}

test('A creation costs the node three round trips to MySQL, and the worker three before its answer and three after it', async () => {
  let created = 0;
  const create = async () => {
    created += 1;
    const { status } = await stack.people.owner('POST', PATH, { data: { id: 6000 + created, name: 'Counted' } });
    expect(status).toBe(201);
    await until(() => byWorker.over === created);
  };
  for (let warm = 0; warm < 3; warm += 1) await create();
  const before = { node: await byNode(), worker: byWorker.roundTrips };
  await create();
  // The caller, the instance, the order.
  expect((await byNode()) - before.node).toBe(3);
  // The lease and the mail; the start with the order, the instance and the extension; the end of both. Then whether there
  // is more, the end of the lease, and when the next is due.
  expect(byWorker.roundTrips - before.worker).toBe(6);
});
