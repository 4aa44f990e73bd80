import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await userOf(node, 'member');
  other = await userOf(node, 'other');
});
afterAll(() => cluster.close());

const TRAIN = { type: 'stream', to: [1], topic: 'trains', content: 'Not yet', timestamp: 1_700_000_000 };

async function save(by: TestUser, ...drafts: object[]): Promise<number[]> {
  const { status, body } = await by.post('/drafts', { drafts });
  expect([status, body['result']]).toEqual([200, 'success']);
  return body['ids'] as number[];
}

const listOf = async (by: TestUser) => (await by.get('/drafts')).body;

describe('Drafts', () => {
  test('A draft is saved, listed with the oldest first, changed and deleted', async () => {
    const person = { type: 'private', to: [other.id], topic: 'ignored', content: 'Hello ', timestamp: 1_600_000_000 };
    const [train, hello] = await save(member, TRAIN, person);
    const shownPerson = { id: hello, ...person, topic: '', content: 'Hello' };
    expect(await listOf(member)).toMatchObject({ count: 2, drafts: [shownPerson, { id: train, ...TRAIN }] });
    const changed = { ...TRAIN, content: 'Soon', timestamp: 1_700_000_001 };
    const answers = [
      await member.patch(`/drafts/${train}`, { draft: changed }),
      // Once more, without a difference.
      await member.patch(`/drafts/${train}`, { draft: changed }),
      await member.del(`/drafts/${hello}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await listOf(member)).toMatchObject({ count: 1, drafts: [{ id: train, ...changed }] });
    await member.del(`/drafts/${train}`);
  });

  test('A draft without recipients and time is saved as of now', async () => {
    const before = Math.floor(Date.now() / 1000);
    const [id] = await save(member, { type: '', to: [7], topic: 'x', content: 'To whom?' });
    const { drafts } = (await listOf(member)) as unknown as { drafts: { timestamp: number }[] };
    expect(drafts).toMatchObject([{ id, type: '', to: [], topic: '', content: 'To whom?' }]);
    expect(drafts[0]!.timestamp).toBeGreaterThanOrEqual(before);
    await member.del(`/drafts/${id}`);
  });

  test('A time beyond what can be stored is the last one that can', async () => {
    for (const timestamp of [1e300, 1_700_000_000_000]) {
      const [id] = await save(member, { ...TRAIN, timestamp });
      expect(await listOf(member)).toMatchObject({ drafts: [{ id, timestamp: 4_294_967_295 }] });
      expect((await member.patch(`/drafts/${id}`, { draft: { ...TRAIN, timestamp } })).status).toBe(200);
      await member.del(`/drafts/${id}`);
    }
  });

  test("Each change of a draft is an event for its owner's clients alone", async () => {
    const [heard, elsewhere] = [await member.listen(['drafts']), await other.listen(['drafts'])];
    const [id] = await save(member, TRAIN);
    await member.patch(`/drafts/${id}`, { draft: { ...TRAIN, content: 'Soon' } });
    await member.del(`/drafts/${id}`);
    expect(await heard()).toMatchObject([
      { type: 'drafts', op: 'add', drafts: [{ id, ...TRAIN }] },
      { type: 'drafts', op: 'update', draft: { id, ...TRAIN, content: 'Soon' } },
      { type: 'drafts', op: 'remove', draft_id: id },
    ]);
    expect(await elsewhere()).toEqual([]);
  });

  test('The initial state has the drafts if a client names them, and not otherwise', async () => {
    const [id] = await save(member, TRAIN);
    const stateOf = async (form: object) => (await member.post('/register', { ...form })).body;
    expect(await stateOf({ fetch_event_types: ['drafts'] })).toMatchObject({ drafts: [{ id, ...TRAIN }] });
    expect(await stateOf({ event_types: ['drafts'] })).toMatchObject({ drafts: [{ id, ...TRAIN }] });
    expect(await stateOf({})).not.toHaveProperty('drafts');
    await member.del(`/drafts/${id}`);
  });

  test('A draft of somebody else does not exist', async () => {
    const [id] = await save(other, TRAIN);
    for (const answer of [await member.patch(`/drafts/${id}`, { draft: TRAIN }), await member.del(`/drafts/${id}`)]) {
      expect([answer.status, answer.body['msg']]).toEqual([404, 'Draft does not exist']);
    }
    expect(await listOf(member)).toMatchObject({ count: 0 });
    await other.del(`/drafts/${id}`);
  });

  test.each<[string, object, string]>([
    ['without a text', { ...TRAIN, content: ' \n' }, 'Message must not be empty'],
    ['for two streams', { ...TRAIN, to: [1, 2] }, 'Must specify exactly 1 stream ID for stream messages'],
    ['of a time before all times', { ...TRAIN, timestamp: -1 }, 'Timestamp must not be negative.'],
    ['of an unknown type', { ...TRAIN, type: 'letter' }, 'Invalid drafts[0]["type"]'],
    ['with an unknown field', { ...TRAIN, colour: 'red' }, 'Unexpected arguments: colour'],
    [
      'for too many people',
      { ...TRAIN, type: 'private', to: Array(201).fill(1) },
      'A draft may name at most 200 recipients',
    ],
  ])('A draft %s is refused', async (_, draft, message) => {
    const { status, body } = await member.post('/drafts', { drafts: [draft] });
    expect([status, body['msg']]).toEqual([400, message]);
    expect(await listOf(member)).toMatchObject({ count: 0 });
  });

  test('A long draft is cut off as a message is', async () => {
    const [id] = await save(member, { ...TRAIN, topic: 't'.repeat(70), content: '🚂'.repeat(10_001) });
    expect(await listOf(member)).toMatchObject({
      drafts: [{ topic: 't'.repeat(60), content: '🚂'.repeat(10_000) }],
    });
    await member.del(`/drafts/${id}`);
  });

  test('A person may have 200 drafts and 1 MiB of them, and requests at the same time do not exceed that', async () => {
    const hoarder = await newUser(node, 'hoarder');
    const tens = (size: number, content: string) => Array.from({ length: size }, () => ({ ...TRAIN, content }));
    await save(hoarder, ...tens(195, 'x'));
    const answers = await Promise.all([0, 1].map(() => hoarder.post('/drafts', { drafts: tens(5, 'x') })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body['msg']).toBe('You have too many drafts (limit: 200, 1 MiB in all)');
    expect(await listOf(hoarder)).toMatchObject({ count: 200 });

    const writer = await newUser(node, 'writer');
    for (let at = 0; at < 26; at += 1) await save(writer, { ...TRAIN, content: '🚂'.repeat(10_000) });
    expect((await writer.post('/drafts', { drafts: tens(1, '🚂'.repeat(10_000)) })).status).toBe(400);
    expect(await listOf(writer)).toMatchObject({ count: 26 });
  });
});
