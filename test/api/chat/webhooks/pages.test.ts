import { integrations } from '../../../../src/chat/integrations';
import { type CurlLine, curlLines, integrationHandbook } from '../../../../src/chat/integrations/handbook';
import { demoPeople, type DemoPeople } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;
let bot: { readonly user_id: number; readonly api_key: string };

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  const made = await people.member.post('/bots', { full_name: 'Pages', short_name: 'pages', bot_type: '2' });
  bot = made.body as typeof bot;
});
afterAll(() => cluster.close());

const linesOf = (name: string): CurlLine[] =>
  curlLines(integrationHandbook.pages.find((page) => page.name === name)!.markdown());

const send = ({ method, path, query, headers, body }: CurlLine, more: Record<string, string> = {}) =>
  node.call(path.replace('BOT_ID', String(bot.user_id)), {
    method,
    query: { ...query, ...('api_key' in query ? { api_key: bot.api_key } : {}) },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers, ...more },
    raw: body,
  });

test.each([...integrations.keys()])('The curl command on the page of %s is accepted as a delivery', async (name) => {
  const [line] = linesOf(name);
  expect(await send(line!)).toMatchObject({ status: 200, body: { result: 'success' } });
  const rows = await node.kernel.mysql('chat_deliveries').where({ bot_id: bot.user_id, integration: name });
  expect(rows).toHaveLength(1);
});

const signed = [...integrations.keys()].filter((name) => linesOf(name).length > 1);

test('The pages of services that sign their deliveries show how to require signatures', () => {
  expect(signed).toEqual(
    expect.arrayContaining(['github', 'gitlab', 'stripe', 'slack_incoming', 'sentry', 'pagerduty', 'json']),
  );
});

test.each(signed)('The curl command on the page of %s that requires signatures sets one', async (name) => {
  const [, line] = linesOf(name);
  expect(await send(line!, people.member.headers)).toMatchObject({ status: 200, body: { result: 'success' } });
  const { body } = await people.member.get(`/bots/${bot.user_id}/signature`);
  expect(body).toMatchObject({ scheme: new URLSearchParams(line!.body).get('scheme') });
  await people.member.del(`/bots/${bot.user_id}/signature`);
});
