import { join } from 'node:path';
import { DEMO_ONE, inboundText, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { openCarrierStack, type CarrierStack } from '../../support/telephony/carrier-stack';
import { ownDirectory, startMariadb, startRedis } from '../../support/servers/services';
import { openCluster } from '../../support/kernel/cluster';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

const own = ownDirectory();
let redis: Awaited<ReturnType<typeof startRedis>>;
let stack: CarrierStack;
const startOwnRedis = (port?: number) =>
  startRedis({
    dir: join(own.path, 'redis'),
    appendonly: false,
    password: 'secret',
    ...(port === undefined ? {} : { port }),
  });

beforeAll(async () => {
  redis = await startOwnRedis();
  stack = await openCarrierStack({ REDIS_URL: redis.url });
  await startWorkers(stack.cluster, 'texting-inbound', 'texting-outbound');
});
afterAll(async () => {
  await stack.close();
  await redis.kill();
  own.remove();
});

const texts = async (search: string): Promise<string[]> => {
  const { body } = await stack.people.owner('GET', `/texting/conversations?search=${search}`);
  if (body.length === 0) return [];
  const messages = await stack.people.owner('GET', `/texting/conversations/${body[0].id}/messages`);
  return (messages.body as { text: string }[]).map(({ text }) => text).reverse();
};

test('Carrier calls are accepted while Redis is away, and read once and in order after Redis returns empty', async () => {
  const conversation = await stack.converse(DEMO_ONE.number, '+15550101111');
  await redis.kill();
  for (const text of ['one', 'two', 'three']) {
    expect((await postAsCarrier(stack.node, inboundText({ from: '+15550102222', text }))).status).toBe(204);
  }
  const id = await conversation.send('patient');
  redis = await startOwnRedis(redis.port);
  const seen = await until(
    () => texts('15550102222'),
    (all) => all.length === 3,
  );
  expect(seen).toEqual(['one', 'two', 'three']);
  await conversation.reaches(id, 'delivered');
});

test('Carrier calls get a fast 503 without internals while MySQL is away, so that the carrier tries again', async () => {
  const mariadb = await startMariadb({ dir: join(own.path, 'mariadb') });
  const cluster = await openCluster({ MYSQL_ACQUIRE_MS: '5000', MYSQL_DEADLINE_MS: '5000' });
  const node = await cluster.node({ DATABASE_URL: mariadb.url });
  await mariadb.kill();
  const answer = await postAsCarrier(node, inboundText());
  expect(answer).toMatchObject({ status: 503, body: { detail: expect.not.stringMatching(/sql|connect/i) } });
  expect(answer.headers.get('retry-after')).toBe('1');
  await cluster.close();
});
