// All clients register at the same moment, as after an outage: all succeed in the end, and other users do not notice.
import { setTimeout as wait } from 'node:timers/promises';
import { insistOnSaying, listen } from '../../support/chat/listener';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';

/** npm run faults registers more of them. */
const HERD = Number(process.env['FAULT_HERD'] ?? 300);
/** A user outside the herd sends a message each time that this many more have registered. */
const BETWEEN_MESSAGES = 10;

let cluster: Cluster;
let node: MainNode;

beforeAll(async () => {
  // The default limits: registering is never refused for its rate. But the herd is one process, which takes longer to
  // send its requests than its many clients would.
  cluster = await openCluster({ HEADERS_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '60000' });
  await cluster.seed();
  node = await startMainNode(cluster.environment);
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

interface Outcome {
  readonly statuses: number[];
  readonly withoutAdvice: number;
}

/** Retries as the response says, until it has a queue. */
async function register(headers: Record<string, string>): Promise<Outcome> {
  const statuses: number[] = [];
  let withoutAdvice = 0;
  while (statuses.at(-1) !== 200) {
    const answer = await node.call('/api/v1/register', { method: 'POST', form: {}, headers });
    statuses.push(answer.status);
    const advice = Number(answer.headers.get('retry-after'));
    if (answer.status === 200) continue;
    if (!(advice > 0)) withoutAdvice += 1;
    await wait(Math.max(advice, 1) * 1000 * Math.random());
  }
  return { statuses, withoutAdvice };
}

test('Clients that all register at once are served a few at a time, and other clients are served meanwhile', async () => {
  const people = await Promise.all(['owner', 'member', 'other'].map((name) => node.basic(`${name}@example.com`)));
  const listener = await listen({ urls: () => [node.url], headers: await node.basic('guest@example.com') });
  let registered = 0;
  const herd = Promise.all(
    Array.from({ length: HERD }, async (_, at) => {
      const outcome = await register(people[at % people.length]!);
      registered += 1;
      return outcome;
    }),
  );
  const said: string[] = [];
  while (registered < HERD) {
    said.push(`message ${said.length}`);
    await insistOnSaying([node.url], people[0]!, { to: 'test', content: said.at(-1)! });
    const before = Math.min(registered + BETWEEN_MESSAGES, HERD);
    await until(() => registered >= before);
  }
  const outcomes = await herd;
  const others = outcomes.flatMap(({ statuses }) => statuses).filter((status) => status !== 200 && status !== 503);
  expect(others).toEqual([]);
  expect(outcomes.reduce((sum, { withoutAdvice }) => sum + withoutAdvice, 0)).toBe(0);
  await until(
    () => listener.heard,
    (heard) => heard.length >= said.length,
  );
  expect(listener.heard).toEqual(said);
  expect(listener.problems).toEqual([]);
  await listener.stop();
});
