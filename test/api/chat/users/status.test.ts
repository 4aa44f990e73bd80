import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { publishedBy } from '../../../support/chat/published';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { startWorkers } from '../../../support/kernel/workers';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  await startWorkers(cluster, 'chat-status-ends');
});
afterAll(() => cluster.close());

const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: '' };
const set = (status: Record<string, string>) => people.member.post('/users/me/status', status);
const standing = async () =>
  (await people.other.post('/register', { fetch_event_types: '["user_status"]' })).body.user_status[people.member.id];
const eventsOf = async (work: () => Promise<unknown>) =>
  (await publishedBy(node.kernel, work)).map(({ event }) => event as Record<string, unknown>);
const soon = () => Math.floor(Date.now() / 1000);

describe('POST /users/me/status', () => {
  test('A status with an emoji is published and stays in the initial state', async () => {
    const [event] = await eventsOf(() => set({ status_text: 'on the road', emoji_name: 'car' }));
    const shown = { status_text: 'on the road', ...CAR };
    expect(event).toEqual({ type: 'user_status', user_id: people.member.id, ...shown });
    expect(await standing()).toEqual(shown);
  });

  test('What is not given stays as it is, and empty values take the emoji away', async () => {
    await set({ status_text: 'parked', ...CAR });
    const [event] = await eventsOf(() => set(NO_EMOJI));
    expect(event).toEqual({ type: 'user_status', user_id: people.member.id, ...NO_EMOJI });
    expect(await standing()).toEqual({ status_text: 'parked' });
  });

  test('An emoji that does not exist, or a code without a name, is refused', async () => {
    expect(await set({ emoji_name: 'no-such' })).toMatchObject(refusal("Emoji 'no-such' does not exist"));
    expect(await set({ emoji_code: '1f697' })).toMatchObject(
      refusal('Client must pass emoji_name if they pass either emoji_code or reaction_type.'),
    );
    expect(await set({ scheduled_end_time: String(soon() - 5) })).toMatchObject(
      refusal('The end of a status must be in the future'),
    );
  });

  test('A status ends when its time has come, with one event that empties it', async () => {
    const end = soon() + 2;
    const form = { status_text: 'in a meeting', emoji_name: 'car', away: 'true', scheduled_end_time: String(end) };
    const events = await eventsOf(async () => {
      await set(form);
      expect(await standing()).toMatchObject({ status_text: 'in a meeting', scheduled_end_time: end });
      await until(standing, (status) => status === undefined);
    });
    const nothing = { away: false, status_text: '', ...NO_EMOJI, scheduled_end_time: null };
    expect(events.slice(1)).toEqual([{ type: 'user_status', user_id: people.member.id, ...nothing }]);
  });

  test('A new status without an end outlives the end of the one before', async () => {
    await set({ status_text: 'first', scheduled_end_time: String(soon() + 2) });
    const [event] = await eventsOf(() => set({ status_text: 'second' }));
    expect(event).toMatchObject({ status_text: 'second', scheduled_end_time: null });
    const mail = () => node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-status-ends' });
    await until(mail, ({ length }) => length === 0);
    expect(await standing()).toEqual({ status_text: 'second' });
  });

  test('However often a status gets another end, only the last one is waited for', async () => {
    const ends = [3600, 3601, 3602, 3603, 3600].map((seconds) => soon() + seconds);
    for (const end of ends) await set({ status_text: 'away', scheduled_end_time: String(end) });
    const mail = () => node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-status-ends' });
    await until(mail, ({ length }) => length === 1);
    expect(await standing()).toEqual({ status_text: 'away', scheduled_end_time: ends.at(-1) });
    await set({ status_text: 'here' });
    await until(mail, ({ length }) => length === 0);
    expect(await standing()).toEqual({ status_text: 'here' });
  });
});
