import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { userOf, type TestUser } from '../../../support/chat/chat';
import { chatIn } from '../../../support/kernel/parts';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', LOG_LEVEL: 'error' });
  await cluster.seed();
  node = await cluster.node();
  [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
});
afterAll(() => cluster.close());

async function newBot(name: string) {
  const { body } = await member.post('/bots', { full_name: name, short_name: name });
  const { bots } = (await member.get('/bots')).body as { bots: { username: string; api_key: string }[] };
  const { username } = bots.find(({ api_key: key }) => key === body.api_key)!;
  const authorization = `Basic ${Buffer.from(`${username}:${body.api_key}`).toString('base64')}`;
  const post = async (to: string | number[]) => {
    const answer = await fetch(`${node.url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ type: 'stream', to: JSON.stringify(to), topic: 'x', content: 'beep' }),
    });
    return (await answer.json()) as { result: string; code?: string };
  };
  return { email: username, post };
}

const notices = async (email: string): Promise<string[]> => {
  const { body } = await member.get('/messages', {
    anchor: 10_000_000_000_000_000,
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'pm-with', operand: 'notification-bot@zulip.com' }],
  });
  // The notification bot's account does not exist before the first notice.
  const contents = ((body.messages ?? []) as { content: string }[]).map(({ content }) => content);
  return contents.filter((content) => content.includes(email));
};
const firstNotice = (email: string) =>
  until(
    () => notices(email),
    (found) => found.length > 0,
  );

describe('Notices to the owner of a bot', () => {
  test("A bot's owner is notified at most once a minute that the bot wrote to an unknown stream", async () => {
    const bot = await newBot('lost');
    expect(await bot.post('Atlantis')).toMatchObject({ result: 'error', code: 'STREAM_DOES_NOT_EXIST' });
    expect(await bot.post('Lemuria')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    const told = `Your bot \`${bot.email}\` tried to send a message to stream #**Atlantis**, but that stream does not exist.`;
    expect(await firstNotice(bot.email)).toEqual([told]);
  });

  test('The notice is in the language of the organisation', async () => {
    const bot = await newBot('verirrt');
    await owner.patch('/realm', { default_language: JSON.stringify('de') });
    await bot.post('Atlantis');
    expect(await firstNotice(bot.email)).toEqual([
      `Ihr Bot \`${bot.email}\` wollte eine Nachricht an den Stream #**Atlantis** senden, den es nicht gibt.`,
    ]);
    await owner.patch('/realm', { default_language: JSON.stringify('en') });
  });

  test("A bot's owner is notified when the bot writes to a stream id that does not exist", async () => {
    const bot = await newBot('mistaken');
    expect(await bot.post([99_999])).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    expect(await firstNotice(bot.email)).toEqual([
      `Your bot \`${bot.email}\` tried to send a message to stream ID 99999, but there is no stream with that ID.`,
    ]);
  });

  test("A bot's owner is notified when the bot's message goes to a stream without subscribers", async () => {
    const bot = await newBot('lonely');
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'desert' }] });
    await owner.del('/users/me/subscriptions', { subscriptions: ['desert'] });
    expect(await bot.post('desert')).toMatchObject({ result: 'success' });
    expect(await firstNotice(bot.email)).toEqual([
      `Your bot \`${bot.email}\` tried to send a message to stream #**desert**. ` +
        'The stream exists but does not have any subscribers.',
    ]);
  });

  test("A bot's owner gets no notice while the stream that the bot writes to has subscribers", async () => {
    const bot = await newBot('heard');
    expect(await bot.post('general')).toMatchObject({ result: 'success' });
    // A notice about another bot of the same owner, written later than the missing one would have been.
    const lost = await newBot('lost-too');
    await lost.post('Atlantis');
    await firstNotice(lost.email);
    expect(await notices(bot.email)).toEqual([]);
  });

  test("A bot's message that was sent is answered with its id even if its subscribers cannot be read", async () => {
    const bot = await newBot('unlucky');
    expect(await bot.post('general')).toMatchObject({ result: 'success' });
    const { audiences } = chatIn(node);
    const sending = audiences.find.bind(audiences);
    const find = jest
      .spyOn(audiences, 'find')
      .mockImplementationOnce(sending)
      .mockRejectedValue(new Error('MySQL is away'));
    expect(await bot.post('general')).toMatchObject({ result: 'success' });
    expect(find).toHaveBeenCalledTimes(2);
  });
});
