import { demoPeople, type DemoPeople } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  await people.owner.patch('/realm', { default_language: 'de' });
});
afterAll(() => cluster.close());

/** The newest message that matches, as Markdown. */
async function said(narrow: readonly object[], pattern: RegExp): Promise<string> {
  const query = { anchor: '10000000000000000', num_before: '20', num_after: '0', apply_markdown: 'false' };
  const found = await until(
    async () => {
      const { body } = await people.owner.get('/messages', { ...query, narrow: JSON.stringify(narrow) });
      return (body.messages as { content: string }[])
        .map(({ content }) => content)
        .findLast((each) => pattern.test(each));
    },
    (content) => content !== undefined,
  );
  return found!;
}

test('The notification bot speaks the language of the organisation', async () => {
  const { owner } = people;
  await owner.post('/users/me/subscriptions', { subscriptions: '[{"name":"Garten"}]' });
  const stream = { operator: 'stream', operand: 'Garten' };
  expect(await said([stream], /Stream/)).toMatch(/^@_\*\*Olive Owner\|\d+\*\* hat den Stream angelegt\.$/);
  const ids: number[] = [];
  for (const content of ['eins', 'zwei']) {
    const { body } = await owner.post('/messages', { type: 'stream', to: 'Garten', topic: 'alt', content });
    ids.push(body.id as number);
  }
  const move = { topic: 'neu', propagate_mode: 'change_all', send_notification_to_old_thread: 'true' };
  expect((await owner.patch(`/messages/${ids[0]}`, { ...move, send_notification_to_new_thread: 'true' })).status).toBe(
    200,
  );
  expect(await said([stream], /hierher/)).toMatch(/hat dieses Thema aus #\*\*Garten>alt\*\* hierher verschoben\.$/);
  expect((await owner.patch(`/messages/${ids[0]}`, { topic: '✔ neu', propagate_mode: 'change_all' })).status).toBe(200);
  expect(await said([stream], /erledigt/)).toContain('hat dieses Thema als erledigt markiert.');
});
