import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../../api/telephony/people';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterAll(() => stack.close());

/** More orders than a node lets wait for all PBXs together. */
const ORDERS = 510;
/** As many orders as a node lets wait for one PBX. */
const WAITING = 100;

const pathOf = (instance: string) => `/instances/${instance}/bulks/extensions`;

test('A node accepts orders for one PBX however many orders wait for another that hangs', async () => {
  const { people, pbx, deadlines } = stack;
  await pbx.fault({ instance: INSTANCE_ONE, mode: 'hang' });
  let refused = 0;
  const orders = Array.from({ length: ORDERS }, async (_, index) => {
    const answer = await people.owner('POST', pathOf(INSTANCE_ONE), { data: { id: 9000 + index, name: 'Waits' } });
    if (answer.status === 503) refused += 1;
    return answer;
  });
  await until(() => refused > 0);
  const other = await people.stranger('POST', pathOf(INSTANCE_TWO), { data: { id: 1, name: 'Other' } });
  expect(other.status).toBe(201);
  await until(() => refused === ORDERS - WAITING);
  deadlines.end(INSTANCE_ONE);
  const answers = await Promise.all(orders);
  const crowded = answers.filter(({ status }) => status === 503);
  expect(crowded[0]).toMatchObject({ ...problem(503), body: { detail: 'Too many orders are waiting' } });
  expect(crowded[0]!.headers.get('retry-after')).toBe('2');
  expect(answers.filter(({ status }) => status === 502)).toHaveLength(WAITING);
});
