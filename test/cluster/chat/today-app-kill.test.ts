// Today's mobile app at two nodes of which one is killed while it waits for events: it asks the other, under the same
// queue, and hears each message once.
import { TodayApp } from '../../support/chat/apps/today-app';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll } from '../../support/processes/processes';

let cluster: Cluster;
let steady: MainNode;
let doomed: MainNode;

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'on', RATE_LIMIT: 'off' });
  await cluster.seed();
  [steady, doomed] = [await startMainNode(cluster.environment), await startMainNode(cluster.environment)];
});
afterAll(async () => {
  await killAll();
  await cluster.close();
});

const send = (app: TodayApp, to: number, content: string) =>
  app.ask('POST /messages', { type: 'channel', to, topic: 'kill', content, queue_id: app.queueId, local_id: content });

test("Today's app goes on at the other node when the one that holds its poll is killed, and hears everything once", async () => {
  const nodes = [doomed];
  const app = new TodayApp(() => nodes);
  const other = new TodayApp(() => [steady]);
  await app.signIn('member@example.com');
  const state = await app.register();
  const { stream_id: general } = state['streams'].find(({ name }: { name: string }) => name === 'general');
  await other.signIn('other@example.com');
  await other.register();

  await send(app, general, 'before');
  await app.until(({ local_message_id: local }) => local === 'before');
  const cut = app.until(({ message }) => message?.content === '<p>during</p>').catch(() => 'cut');
  doomed.kill('SIGKILL');
  await doomed.ended;
  expect(await cut).toBe('cut');
  await send(other, general, 'during');
  nodes.splice(0, 1, steady);
  await send(app, general, 'after');
  const heard = await app.until(({ local_message_id: local }) => local === 'after');
  const told = heard.filter(({ type }) => type === 'message').map(({ message }) => message.content as string);
  expect(told).toEqual(['<p>during</p>', '<p>after</p>']);

  const narrow = [
    { operator: 'channel', operand: general },
    { operator: 'topic', operand: 'kill' },
  ];
  const page = { num_before: 100, num_after: 0, allow_empty_topic_name: true };
  const { messages } = await app.ask('GET /messages', { anchor: 'newest', narrow, ...page });
  expect(messages.map(({ content }: { content: string }) => content)).toEqual([
    '<p>before</p>',
    '<p>during</p>',
    '<p>after</p>',
  ]);
  expect([...app.misfits, ...other.misfits]).toEqual([]);
});
