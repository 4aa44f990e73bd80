import {
  KEY_ONE as ONE,
  KEY_TWO as TWO,
  messageOf,
  messagesReceived,
  numbersReceived,
  openPatientCluster,
  seedCompanies,
  messageDelivery,
  type Companies,
} from '../../../support/telephony/companies';
import type { Cluster, TestNode } from '../../../support/kernel/cluster';
import { closeSockets, enter, type TestSocket } from '../../../support/http/sockets';
import { until } from '../../../support/until';
import { openPeople, problem, type People } from '../people';

let cluster: Cluster;
let node: TestNode;
let people: People;
let companies: Companies;

beforeAll(async () => {
  cluster = await openPatientCluster({ EVENT_REPLAY_MAX: '20' });
  companies = await seedCompanies(cluster);
  node = await cluster.node();
  people = await openPeople(node);
});
afterEach(closeSockets);
afterAll(() => cluster.close());

const tell = (id: string) => messageDelivery(node.kernel, companies.one, id);
const headOf = async () => Number((await people.owner('GET', '/events')).headers.get('x-event-seq'));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** It has received everything up to a number. */
const reaches = (socket: TestSocket, number: number) =>
  until(
    () => numbersReceived(socket),
    (numbers) => numbers.at(-1) === number,
  );

describe('authenticate with after', () => {
  test('A socket with after: null begins now, gets the newest number, and receives events with their numbers', async () => {
    await tell('before');
    const socket = await enter(node.url, { token: ONE, after: null });
    const [{ seq }] = (await socket.next('authenticated')) as [{ seq: number }];
    expect(seq).toBe(await headOf());
    await tell('a');
    expect(await socket.next('texting.message.new')).toEqual([messageOf('a'), { seq: seq + 1 }]);
  });

  test('A socket with a number receives all later events in order, and then the new ones', async () => {
    const after = await headOf();
    for (const id of ['a', 'b', 'c']) await tell(id);
    const socket = await enter(node.url, { token: ONE, after });
    await tell('d');
    await reaches(socket, after + 4);
    expect(messagesReceived(socket)).toEqual(['a', 'b', 'c', 'd']);
    expect(numbersReceived(socket)).toEqual(range(after + 1, after + 4));
    expect(socket.heard.map(({ name }) => name).slice(0, 3)).toEqual([
      'connect',
      'authenticated',
      'texting.message.new',
    ]);
  });

  test('A socket that resumes while events arrive misses none and receives none twice', async () => {
    const after = await headOf();
    const telling = Promise.all(range(1, 15).map((each) => tell(String(each))));
    const sockets = await Promise.all(range(1, 10).map(() => enter(node.url, { token: ONE, after })));
    await telling;
    for (const socket of sockets) {
      await reaches(socket, after + 15);
      expect(numbersReceived(socket)).toEqual(range(after + 1, after + 15));
    }
  });

  test('A socket with the newest number receives nothing but new events', async () => {
    const after = await headOf();
    const socket = await enter(node.url, { token: ONE, after });
    await tell('a');
    await reaches(socket, after + 1);
    expect(numbersReceived(socket)).toEqual([after + 1]);
  });

  test('A socket with a number too far back gets resync_required and continues from there', async () => {
    const after = await headOf();
    for (const each of range(1, 21)) await tell(String(each));
    const socket = await enter(node.url, { token: ONE, after });
    expect(await socket.next('resync_required')).toEqual([{ seq: after + 21 }]);
    await tell('new');
    await reaches(socket, after + 22);
    expect(numbersReceived(socket)).toEqual([after + 22]);
  });

  test('A number that is sent as text is accepted as that number', async () => {
    const after = await headOf();
    await tell('a');
    const socket = await enter(node.url, { token: ONE, after: String(after) });
    await reaches(socket, after + 1);
    expect(numbersReceived(socket)).toEqual([after + 1]);
  });

  test.each([['x'], [''], [-1], [1.5], [true], [{}], ['9'.repeat(40)]])(
    'A socket with after %j, which is no number, is accepted and gets resync_required',
    async (after) => {
      const socket = await enter(node.url, { token: ONE, after });
      expect(await socket.next('resync_required')).toEqual([{ seq: await headOf() }]);
      expect(socket.named('unauthorized')).toEqual([]);
    },
  );

  test('A socket gets resync_required if its events are no longer stored or its number is ahead of the log', async () => {
    const after = await headOf();
    for (const id of ['a', 'b']) await tell(id);
    await node.kernel.outbox.settle();
    const tenant = `tel:${companies.one}`;
    await node.kernel
      .mysql('kernel_outbox')
      .where({ tenant, number: after + 1 })
      .delete();
    for (const wrong of [after, after + 1000]) {
      const socket = await enter(node.url, { token: ONE, after: wrong });
      expect(await socket.next('resync_required')).toEqual([{ seq: after + 2 }]);
    }
  });

  test('Replayed events are those of one company, and another company has its own numbers', async () => {
    const socket = await enter(node.url, { token: TWO, after: 0 });
    await tell('secret');
    await messageDelivery(node.kernel, companies.two, 'mine');
    await until(() => messagesReceived(socket).includes('mine'));
    expect(messagesReceived(socket)).toEqual(['mine']);
  });
});

describe('GET /events', () => {
  test('GET /events returns the events after a number, oldest first, and the newest number', async () => {
    const after = await headOf();
    for (const id of ['a', 'b', 'c']) await tell(id);
    const { status, body, headers } = await people.owner('GET', `/events?after=${after}&limit=2`);
    expect(status).toBe(200);
    expect(body).toEqual(
      ['a', 'b'].map((id, index) => ({
        seq: after + 1 + index,
        name: 'texting.message.new',
        payload: messageOf(id),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      })),
    );
    expect(headers.get('x-event-seq')).toBe(String(after + 3));
    expect((await people.owner('GET', `/events?after=${after + 3}`)).body).toEqual([]);
  });

  test('GET /events without a number returns no events', async () => {
    expect((await people.owner('GET', '/events')).body).toEqual([]);
  });

  test('GET /events gets 410 for numbers that are no longer stored or do not exist yet', async () => {
    const head = await headOf();
    await node.kernel
      .mysql('kernel_outbox')
      .where({ tenant: `tel:${companies.one}`, number: 1 })
      .delete();
    for (const after of [0, head + 5]) {
      const answer = await people.owner('GET', `/events?after=${after}`);
      expect(answer).toMatchObject(problem(410));
      expect(answer.body.detail).toContain('resync_required');
    }
  });

  test.each(['after=-1', 'after=x', 'after=1&limit=0', 'after=1&limit=1001'])(
    'GET /events with %s is refused',
    async (query) => {
      expect(await people.owner('GET', `/events?${query}`)).toMatchObject(problem(400));
    },
  );

  test('GET /events needs a key, and returns events of its company only', async () => {
    expect(await node.call('/events?after=0')).toMatchObject(problem(401));
    const { body } = await people.stranger('GET', '/events?after=0');
    expect(JSON.stringify(body)).not.toContain('"a"');
    expect((body as { payload: object }[]).map(({ payload }) => payload)).toContainEqual(messageOf('mine'));
  });
});
