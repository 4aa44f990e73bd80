import { openCluster, type Cluster, type TestNode } from '../../support/cluster';
import { userOf } from '../../support/chat';
import { cliOf, type Cli } from './run';

let cluster: Cluster;
let node: TestNode;
let cli: Cli;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  node = await cluster.node();
  cli = cliOf(cluster.environment);
});
afterAll(() => cluster.close());

describe('org', () => {
  test('show prints every setting', async () => {
    const { code, json } = await cli(['org', 'show', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      name: 'Example Organization',
      allow_message_editing: true,
      message_content_edit_limit_seconds: 600,
      create_stream_policy: 1,
      message_retention_days: null,
    });
  });

  test('set changes one, and users are told', async () => {
    const member = await userOf(node, 'member');
    const listen = await member.listen(['realm']);
    expect(await cli(['org', 'set', 'create_stream_policy', '2'])).toMatchObject({
      code: 0,
      out: 'create_stream_policy is 2 now\n',
    });
    expect((await cli(['org', 'set', 'name', 'Acme', '--json'])).json).toEqual({ changed: { name: 'Acme' } });
    expect(await listen()).toMatchObject([
      { property: 'create_stream_policy', value: 2 },
      { property: 'name', value: 'Acme' },
    ]);
    const refused = await member.post('/users/me/subscriptions', { subscriptions: [{ name: 'new' }] });
    expect(refused.body.msg).toBe('User cannot create streams.');
  });

  test.each([
    [['mood', 'good'], /There is no such setting/],
    [['create_stream_policy', '9'], /Invalid create_stream_policy/],
  ])('set refuses %p', async (args, message) => {
    const { code, err } = await cli(['org', 'set', ...args]);
    expect(code).toBe(1);
    expect(err).toMatch(message);
  });
});
