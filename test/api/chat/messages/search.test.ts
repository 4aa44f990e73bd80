import { noteChanges } from '../../../../src/chat/store/reading/search-index';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { talker, type Talker } from '../../../support/chat/room';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let member: Talker;
let other: Talker;
let owner: Talker;
const ids: Record<string, number> = {};

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-search');
  member = await talker(node, 'member@example.com');
  other = await talker(node, 'other@example.com');
  owner = await talker(node, 'owner@example.com');
  ids['running'] = await other.toStream('test', 'Sports', 'We were running <fast> & far');
  ids['runs'] = await other.toStream('test', 'weather', 'She runs. RUN! http://example.com/run');
  ids['secret'] = await owner.toStream('leadership', 'x', 'running the company');
  ids['private'] = await other.toPeople(['member@example.com'], 'let us run');
  ids['topic'] = await other.toStream('general', 'A run <tomorrow>', 'nothing of the kind');
  ids['han'] = await other.toStream('general', 'x', '我们明天去跑步');
  ids['last'] = await other.toStream('general', 'x', 'lastword');
  await until(
    () => look('lastword'),
    (found) => found.length > 0,
  );
});
afterAll(() => cluster.close());

const search = (operand: string, more: readonly unknown[] = []) => member.read([['search', operand], ...more]);
async function look(operand: string, more: readonly unknown[] = []): Promise<unknown[]> {
  const { body, text } = await search(operand, more);
  if (body.result !== 'success') throw new Error(text);
  return body.messages.map(({ id }: { id: number }) => Object.keys(ids).find((name) => ids[name] === id));
}

describe('The search operator', () => {
  test('A search matches word stems in content and topic, among messages that the user can see', async () => {
    expect(await look('run')).toEqual(['running', 'runs', 'private', 'topic']);
    expect(await look('RUNNING')).toEqual(['running', 'runs', 'private', 'topic']);
    expect(await look('company')).toEqual([]);
    expect(await look('run far')).toEqual(['running']);
    expect(await look('明天')).toEqual(['han']);
    expect(await look('unheardof')).toEqual([]);
    expect(await look('the')).toEqual([]);
  });

  test('Search terms are combined with each other and with other narrow operators', async () => {
    expect(await look('run', [['search', 'fast']])).toEqual(['running']);
    expect(await look('run', [['is', 'private']])).toEqual(['private']);
    expect(await look('run', [['stream', 'test'], { operator: 'topic', operand: 'weather', negated: true }])).toEqual([
      'running',
    ]);
    const negated = [{ operator: 'search', operand: 'run', negated: true }];
    expect((await member.ids([...negated, ['stream', 'general']])).length).toBe(2);
  });

  test('A quoted search phrase must match exactly, in any case', async () => {
    expect(await look('"She Runs"')).toEqual(['runs']);
    expect(await look('"runs she"')).toEqual([]);
    expect(await look('"100%_"')).toEqual([]);
  });

  test('Search results highlight the matches without breaking the markup', async () => {
    const { body } = await search('run');
    const matchOf = (name: string) => body.messages.find(({ id }: { id: number }) => id === ids[name]);
    expect(matchOf('running')).toMatchObject({ match_subject: 'Sports' });
    expect(matchOf('running').match_content).toContain('<span class="highlight">running</span> &');
    expect(matchOf('topic').match_subject).toBe('A <span class="highlight">run</span> &#60;tomorrow&#62;');
    expect(matchOf('runs').match_content).not.toMatch(/href="[^"]*<span/);
    expect((await member.read([['topic', 'weather']])).body.messages[0]).not.toHaveProperty('match_content');
  });

  test('Edits and deletions of messages reach the search index', async () => {
    const id = await other.toStream('general', 'edits', 'beforehand');
    await until(
      () => look('beforehand'),
      (found) => found.length > 0,
    );
    const { mysql } = node.kernel;
    const { realm_id: realmId } = await mysql('chat_messages').where({ id }).first('realm_id');
    await mysql('chat_messages').where({ id }).update({ rendered: '<p>afterwards</p>' });
    await noteChanges(mysql, realmId, [id]);
    await until(
      () => look('afterwards'),
      (found) => found.length > 0,
    );
    expect(await look('beforehand')).toEqual([]);
    await mysql('chat_messages').where({ id }).delete();
    expect(await look('afterwards')).toEqual([]);
    await noteChanges(mysql, realmId, [id]);
    await until(
      () => mysql('chat_search').where({ message_id: id }),
      (rows) => rows.length === 0,
    );
  });
});

describe('GET /messages/matches_narrow', () => {
  test('GET /messages/matches_narrow returns the matching messages that the user can see', async () => {
    const ask = (narrow: unknown) =>
      member.get('/messages/matches_narrow', {
        msg_ids: JSON.stringify([ids['running'], ids['runs'], ids['secret'], 4242]),
        narrow: JSON.stringify(narrow),
      });
    const { status, body } = await ask([['search', 'run far']]);
    expect(status).toBe(200);
    expect(body.messages).toEqual({
      [ids['running']!]: { match_content: expect.stringContaining('highlight'), match_subject: 'Sports' },
    });
    expect(Object.keys((await ask([['sender', 'other@example.com']])).body.messages)).toHaveLength(2);
  });
});
