import { operator } from '../../../support/operators';
import {
  messagesIn,
  openOutgoingStage,
  saying,
  type OutgoingBot,
  type OutgoingStage,
} from '../../../support/chat/outgoing-bots';
import type { Respond } from '../../../support/servers/other-server';
import { until } from '../../../support/until';

let stage: OutgoingStage;
beforeAll(async () => {
  stage = await openOutgoingStage();
});
afterAll(() => stage.close());

const mention = (bot: OutgoingBot, topic: string) =>
  stage.member.post('/messages', { type: 'stream', to: 'test', topic, content: `@**${bot.name}** hi` });

interface CallRow {
  readonly id: number;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}
const callsOf = async (bot: OutgoingBot) =>
  (await stage.node.kernel.mysql('chat_outgoing_calls').where({ bot_id: bot.id }).orderBy('id')) as CallRow[];
const settled = (bot: OutgoingBot, state: string) =>
  until(
    () => callsOf(bot),
    (calls) => calls.length > 0 && calls.every((call) => call.state === state),
  );
/** Skips the pause before the next attempt. */
const hurry = (bot: OutgoingBot) =>
  stage.node.kernel
    .mysql('chat_outgoing_calls')
    .where({ bot_id: bot.id, state: 'pending' })
    .update({ due_at: stage.node.kernel.mysql.raw('NOW(3) - INTERVAL 1 MINUTE') });

const notices = async (bot: OutgoingBot): Promise<string[]> => {
  const narrow = [{ operator: 'pm-with', operand: 'notification-bot@zulip.com' }];
  const query = { anchor: 10_000_000_000_000_000, num_before: 100, num_after: 0, apply_markdown: false, narrow };
  const { messages = [] } = (await stage.member.get('/messages', query)).body as { messages?: { content: string }[] };
  return messages.map(({ content }) => content).filter((content) => content.includes(bot.email));
};

describe('Calls that cannot succeed', () => {
  test.each<[string, Respond, string]>([
    ['a refusal', saying({ no: true }, 404), 'Its program answered with status 404'],
    ['an error', saying({ no: true }, 500), 'Its program answered with status 500'],
    [
      'a redirect elsewhere',
      (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      'Its program answered with status 302',
    ],
    [
      'a widget of an unknown type',
      saying({ content: 'no', widget_content: { widget_type: 'poll', extra_data: {} } }),
      'Its program answered with a wrong widget_content (Widgets: unknown widget type: poll)',
    ],
    [
      'a reply that is no JSON',
      (response) => void response.end('<html>'),
      'Its program did not answer with a JSON object',
    ],
    ['too much', saying({ content: 'x'.repeat(200_000) }), 'Its program answered too much'],
  ])(
    'A call that is answered with %s is reported in the topic and to the owner, as a dead letter',
    async (what, respond, reason) => {
      const bot = await stage.newBot(respond);
      const { body } = await mention(bot, what);
      expect((await messagesIn(stage, what, 2))[1]).toEqual({ sender: bot.email, content: `Failure! ${reason}.` });
      expect(await settled(bot, 'failed')).toMatchObject([{ attempts: 1, error: reason }]);
      const [notice] = await until(
        () => notices(bot),
        ({ length }) => length > 0,
      );
      expect(notice).toContain(`/near/${body.id}) to your bot \`${bot.email}\` was not answered. ${reason}.`);
      expect(bot.received()).toHaveLength(1);
    },
  );

  test('A call to a private address is never sent', async () => {
    const bot = await stage.newBot(saying({}), { payload_url: 'http://inside.example/' });
    await mention(bot, 'inside');
    expect((await messagesIn(stage, 'inside', 2))[1]!.content).toBe('Failure! Its address is not public.');
  });

  test("A reply that the bot may not post is reported to the bot's owner alone", async () => {
    const bot = await stage.newBot(saying({ content: 'hi' }));
    const subscriptions = [{ name: 'news' }];
    await stage.owner.post('/users/me/subscriptions', { subscriptions });
    const { stream_id: id } = (await stage.owner.get('/get_stream_id', { stream: 'news' })).body;
    await stage.owner.patch(`/streams/${id}`, { is_announcement_only: true });
    const content = `@**${bot.name}** hi`;
    await stage.owner.post('/messages', { type: 'stream', to: 'news', topic: 'x', content });
    expect(await settled(bot, 'failed')).toMatchObject([
      { error: 'It could not answer: Only organization administrators can send to this stream.' },
    ]);
    await until(
      () => notices(bot),
      ({ length }) => length === 1,
    );
  });
});

describe('Unavailable programs', () => {
  test('A program that is unavailable is called again, and its reply is posted once it is back', async () => {
    let isAway = true;
    const bot = await stage.newBot((response, request) =>
      (isAway ? saying({}, 503) : saying({ content: 'back' }))(response, request),
    );
    await mention(bot, 'away');
    await until(
      () => callsOf(bot),
      ([call]) => call?.attempts === 1,
    );
    expect(await callsOf(bot)).toMatchObject([{ state: 'pending', error: 'Its program answered with status 503' }]);
    isAway = false;
    // The next attempt follows by itself, a second later.
    expect((await messagesIn(stage, 'away', 2))[1]).toEqual({ sender: bot.email, content: 'back' });
    expect(await settled(bot, 'done')).toMatchObject([{ attempts: 2, error: null }]);
  });

  test('A call to an unreachable program is given up after four attempts', async () => {
    const bot = await stage.newBot((response) => void response.destroy());
    await mention(bot, 'gone');
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await until(
        () => callsOf(bot),
        ([call]) => call!.attempts >= attempt,
      );
      await hurry(bot);
    }
    expect(await settled(bot, 'failed')).toMatchObject([{ attempts: 4, error: 'Its program cannot be reached' }]);
    expect((await messagesIn(stage, 'gone', 2))[1]!.content).toBe('Failure! Its program cannot be reached.');
    expect(bot.received()).toHaveLength(4);
  });

  test('A failing call does not delay the calls after it', async () => {
    let first = true;
    const bot = await stage.newBot((response, request) => {
      saying({ content: 'second' }, first ? 503 : 200)(response, request);
      first = false;
    });
    await mention(bot, 'waits');
    await until(
      () => callsOf(bot),
      ([call]) => call?.attempts === 1,
    );
    await mention(bot, 'goes on');
    expect((await messagesIn(stage, 'goes on', 2))[1]!.content).toBe('second');
  });
});

describe('Operators', () => {
  test('An operator sees dead outgoing calls, and can retry or discard them', async () => {
    let status = 500;
    const bot = await stage.newBot((response, request) => saying({ content: 'at last' }, status)(response, request));
    await mention(bot, 'operators');
    await settled(bot, 'failed');
    const watch = await operator(stage.node.kernel, stage.node, 'watch', 'full');
    const { body } = await watch.get('/dead-letters', { work_queue: 'outgoing-webhooks', bot: bot.email });
    expect(body.dead_letters).toMatchObject([
      {
        state: 'dead',
        subject: bot.email,
        kind: 'mention',
        reason: 'Its program answered with status 500',
        attempts: 1,
      },
    ]);
    const [{ id }] = body.dead_letters as [{ id: string }];
    for (const kind of ['private_message', 'é']) {
      const { body: others } = await watch.get('/dead-letters', {
        work_queue: 'outgoing-webhooks',
        bot: bot.email,
        kind,
      });
      expect(others.dead_letters).toEqual([]);
    }
    expect((await watch.get(`/jobs/outgoing-webhooks/${id}`)).body).toMatchObject({ id, payload: null });
    status = 200;
    await watch.post(`/jobs/outgoing-webhooks/${id}/retry`);
    expect((await messagesIn(stage, 'operators', 3))[2]).toEqual({ sender: bot.email, content: 'at last' });
    status = 500;
    await mention(bot, 'discarded');
    await until(
      () => callsOf(bot),
      (calls) => calls[1]?.state === 'failed',
    );
    const [, second] = await callsOf(bot);
    await watch.post(`/jobs/outgoing-webhooks/${second!.id}/discard`);
    expect(await callsOf(bot)).toMatchObject([{ state: 'done' }, { state: 'dropped' }]);
  });
});
