import { createRealm } from '../../../src/chat/commands/organisation/realms';
import { createUser } from '../../../src/chat/commands/users/create-user';
import type { Role } from '../../../src/chat/model/users/user';
import { callerOf, type Caller } from '../../support/chat/people';
import type { Answer } from '../../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { clientAt } from '../../support/chat/organisations';
import { Transcript } from '../../support/chat/transcript';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';
import { liveInPrivate, liveInPublic, type Insiders } from './private-life';
import { chatOf } from '../../support/kernel/parts';

let cluster: Cluster;
let node: TestNode;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.test', TRUSTED_PROXIES: '127.0.0.1' });
  node = await cluster.node();
  await startWorkers(cluster, 'chat-search');
});
afterAll(() => cluster.close());

/** Both worlds have the same users; in one of them, two users have secrets. */
interface World extends Insiders {
  readonly name: string;
  readonly outsider: Caller;
  readonly guest: Caller;
}

async function found(name: string): Promise<World> {
  const { kernel } = node;
  const realmId = await createRealm(chatOf(kernel), { name: 'World', description: '', subdomain: name });
  const client = clientAt(node, `${name}.chat.test`);
  const add = async (person: string, role: Role) => {
    const email = `${person}@example.com`;
    await createUser(kernel, { realmId, email, fullName: `The ${person}`, role });
    return callerOf(client, email);
  };
  return {
    name,
    ann: await add('ann', 'admin'),
    ben: await add('ben', 'member'),
    outsider: await add('outsider', 'member'),
    guest: await add('guest', 'guest'),
  };
}

async function register(by: Caller): Promise<{ state: Record<string, unknown>; queueId: string }> {
  const { body } = await by.post('/register', { all_public_streams: 'true', include_subscribers: 'true' });
  return { state: body, queueId: body.queue_id };
}

const READS: readonly (readonly [string, Record<string, string>])[] = [
  [],
  [['is', 'private']],
  [['is', 'starred']],
  [['sender', 'ann@example.com']],
  [['pm-with', 'ben@example.com']],
  [['group-pm-with', 'ben@example.com']],
  [['search', 'secret']],
  [['has', 'link']],
  [['topic', 'plans']],
  [['stream', 'vault']],
  [['stream', 'plaza']],
  [['streams', 'public']],
  [
    ['stream', 'plaza'],
    ['search', 'weather'],
  ],
].map((narrow) => {
  const query = { anchor: '10000000000000000', num_before: '200', num_after: '0', narrow: JSON.stringify(narrow) };
  return ['/messages', query] as const;
});

const LISTS = [
  '/users/me',
  '/users?include_custom_profile_fields=true',
  '/streams',
  '/streams?include_default=true',
  '/users/me/subscriptions?include_subscribers=true',
  '/get_stream_id?stream=vault',
  '/get_stream_id?stream=plaza',
  '/realm/emoji',
  '/realm/filters',
  '/realm/presence',
  '/realm/profile_fields',
  '/user_groups',
  '/bots',
  '/attachments',
  '/users/me/alert_words',
  '/users/me/pointer',
  '/users/ann@example.com/presence',
];

/** Everything that can be requested without guessing. */
async function askAll(by: Caller, write: (what: string, answer: Answer) => void): Promise<void> {
  for (const path of LISTS) write(path, await by.ask(`/api/v1${path}`, {}));
  for (const [path, query] of READS) write(`${path} ${query['narrow']}`, await by.get(path, query));
  const { body } = await by.get('/streams');
  for (const { stream_id: id, name } of body.streams as { stream_id: number; name: string }[]) {
    write(`topics of ${name}`, await by.get(`/users/me/${id}/topics`));
    write(`members of ${name}`, await by.get(`/streams/${id}/members`));
  }
  const form = { stream: 'vault', topic: 'plans', op: 'add' };
  write('mute', await by.patch('/users/me/subscriptions/muted_topics', form));
  write('leave', await by.del('/users/me/subscriptions', { subscriptions: '["vault"]' }));
  write('default', await by.post('/default_streams', { stream_name: 'vault' }));
  const content = '#**vault** @**The ann** #**vault>plans**';
  write('render', await by.post('/messages/render', { content }));
}

/** Objects that exist in one world only: the response must not reveal that they exist. */
async function probe(by: Caller, write: (what: string, answer: Answer) => void, ids: Probes): Promise<void> {
  const { message, stream } = ids;
  write('raw', await by.get(`/messages/${message}`));
  write('history', await by.get(`/messages/${message}/history`));
  write('edit', await by.patch(`/messages/${message}`, { content: 'x' }));
  write('delete', await by.del(`/messages/${message}`));
  write('react', await by.post(`/messages/${message}/reactions`, { emoji_name: 'smile' }));
  write('star', await by.post('/messages/flags', { messages: `[${message}]`, op: 'add', flag: 'starred' }));
  write(
    'match',
    await by.get('/messages/matches_narrow', { msg_ids: `[${message}]`, narrow: '[["search","secret"]]' }),
  );
  write(
    'id',
    await by.get('/messages', { anchor: '1', num_before: '0', num_after: '9', narrow: `[["id","${message}"]]` }),
  );
  write('topics', await by.get(`/users/me/${stream}/topics`));
  write('members', await by.get(`/streams/${stream}/members`));
  write('mark', await by.post('/mark_stream_as_read', { stream_id: String(stream) }));
  write('mark topic', await by.post('/mark_topic_as_read', { stream_id: String(stream), topic_name: 'plans' }));
  write('file', await by.ask(ids.file, {}));
}

interface Probes {
  readonly message: number;
  readonly stream: number;
  readonly file: string;
}

const NOTHING: Probes = { message: 987_654, stream: 987_654, file: `/user_uploads/1/00/${'x'.repeat(32)}/plans.txt` };

async function transcriptOf(world: World, who: 'outsider' | 'guest', hasSecrets: boolean): Promise<string[]> {
  const by = world[who];
  const transcript = new Transcript(world.name);
  const write = (what: string, { status, body, text }: Answer) =>
    transcript.write(what, { status, body: body ?? text });
  const { state, queueId } = await register(by);
  transcript.write('state', state);
  const secrets: Probes[] = [];
  for (const step of [0, 1, 2]) {
    await liveInPublic(world, by, step);
    if (hasSecrets) secrets.push(await liveInPrivate(world, step));
  }
  const lastWords = await liveInPublic(world, by, 3);
  const events = await until(
    async () => {
      const query = { queue_id: queueId, last_event_id: '-1', dont_block: 'true' };
      return (await by.get('/events', query)).body.events as Record<string, unknown>[];
    },
    (published) => JSON.stringify(published).includes(lastWords),
  );
  transcript.write('events', events);
  // Searches find all messages sent so far.
  const last = { anchor: '0', num_before: '0', num_after: '9', narrow: '[["search","weather fine 3"]]' };
  await until(
    async () => (await by.get('/messages', last)).body.messages as unknown[],
    (found) => found.length > 0,
  );
  await askAll(by, write);
  transcript.write('state at the end', (await register(by)).state);
  for (const ids of hasSecrets ? secrets : [NOTHING, NOTHING, NOTHING]) await probe(by, write, ids);
  return transcript.lines;
}

describe.each(['outsider', 'guest'] as const)('Answers and events for the role %s', (who) => {
  let [quiet, busy]: World[] = [];
  let without: string[];

  // In steps, each within its deadline on a busy machine.
  beforeAll(async () => {
    quiet = await found(`quiet-${who}`);
  });
  beforeAll(async () => {
    busy = await found(`busy-${who}`);
  });
  beforeAll(async () => {
    without = await transcriptOf(quiet!, who, false);
  });

  test('A caller without access gets the same answers and events whether others have secrets or not', async () => {
    const withSecrets = await transcriptOf(busy!, who, true);
    expect(without.length).toBeGreaterThan(40);
    expect(withSecrets).toEqual(without);
    expect(withSecrets.join('\n')).not.toContain('secret of');
  });
});
