import { refusal } from '../../../support/chat/people';
import { newUser, userOf, type TestUser } from '../../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  member = await userOf(node, 'member');
});
afterAll(() => cluster.close());

const NAMES = ['intro_reply', 'intro_streams', 'intro_topics', 'intro_gear', 'intro_compose'];
const NO_BOTS = refusal('This endpoint does not accept bot requests.');

interface Hotspot {
  readonly name: string;
}

async function next(by: TestUser): Promise<string[]> {
  const { body } = await by.post('/register', { fetch_event_types: ['hotspots'] });
  return (body.hotspots as Hotspot[]).map(({ name }) => name);
}

describe('Tour for new users', () => {
  test("The tour shows one hotspot after another and publishes the next one to the user's clients", async () => {
    const ada = await newUser(node, 'ada');
    const listen = await ada.listen(['hotspots']);
    for (const [at, name] of NAMES.entries()) {
      expect(await next(ada)).toEqual([name]);
      // As JSON and as plain text.
      const hotspot = at % 2 === 0 ? JSON.stringify(name) : name;
      expect(await ada.post('/users/me/hotspots', { hotspot })).toMatchObject({ status: 200 });
    }
    expect(await next(ada)).toEqual([]);
    const events = await listen();
    expect(events.map(({ hotspots }) => (hotspots as Hotspot[]).map(({ name }) => name))).toEqual([
      ...NAMES.slice(1).map((name) => [name]),
      [],
    ]);
    expect(events[0]!['hotspots'][0]).toEqual({
      name: 'intro_streams',
      title: expect.any(String),
      description: expect.any(String),
      delay: 0.5,
    });
  });

  test('A finished tour shows no hotspots until the user starts it again', async () => {
    const bob = await newUser(node, 'bob');
    const set = (status: string) => bob.post('/users/me/tutorial_status', { status });
    expect((await set('"finished"')).status).toBe(200);
    expect(await next(bob)).toEqual([]);
    expect((await set('started')).status).toBe(200);
    expect(await next(bob)).toEqual(['intro_reply']);
    expect((await set('paused')).status).toBe(400);
  });

  test('Unknown hotspots are refused, and bots have no tour', async () => {
    expect(await member.post('/users/me/hotspots', { hotspot: 'intro_cellar' })).toMatchObject(
      refusal('Unknown hotspot: intro_cellar'),
    );
    const bot = await userOf(node, 'helper-bot');
    expect(await bot.post('/users/me/hotspots', { hotspot: 'intro_reply' })).toMatchObject(NO_BOTS);
    expect(await bot.post('/users/me/tutorial_status', { status: 'finished' })).toMatchObject(NO_BOTS);
    expect(await next(bot)).toEqual([]);
  });
});

describe('POST /zcommand', () => {
  const run = async (command: string) => (await member.post('/zcommand', { command })).body;

  test('The command /ping returns success without a message', async () => {
    expect(await run('/ping')).toEqual({ result: 'success', msg: '' });
  });

  test.each([
    ['/night', '/day'],
    ['/dark', '/light'],
  ])('The command %s turns on night mode, and %s turns it off', async (night, day) => {
    const listen = await member.listen(['update_display_settings']);
    expect(await run(night)).toEqual({
      result: 'success',
      msg: `Night mode is on now. Type \`${day}\` to change back.`,
    });
    expect(await run(night)).toEqual({ result: 'success', msg: 'Night mode was on already.' });
    expect((await run(day)).msg).toBe(`Day mode is on now. Type \`${night}\` to change back.`);
    expect((await run(day)).msg).toBe('Day mode was on already.');
    expect((await listen()).map(({ setting_name: name, setting }) => [name, setting])).toEqual([
      ['night_mode', true],
      ['night_mode', false],
    ]);
  });

  test('POST /zcommand refuses unknown commands and commands without a slash', async () => {
    expect(await member.post('/zcommand', { command: 'ping' })).toMatchObject(
      refusal('There should be a leading slash in the zcommand.', { code: 'BAD_REQUEST' }),
    );
    for (const name of ['constructor', 'Ping', 'pingpong']) {
      expect(await member.post('/zcommand', { command: `/${name}` })).toMatchObject(
        refusal(`No such command: ${name}`, { code: 'BAD_REQUEST' }),
      );
    }
  });
});
