import { outgoingCalls } from '../../../../src/chat/actors/mailboxes';
import { realmTenant, type RealmId } from '../../../../src/chat/model/organisation/realm';
import { WRITTEN } from '../../../../src/kernel/mailbox/mailbox';
import { messagesIn, openOutgoingStage, saying, type OutgoingStage } from '../../../support/chat/outgoing-bots';
import { until } from '../../../support/until';

let stage: OutgoingStage;
beforeAll(async () => {
  stage = await openOutgoingStage();
});
afterAll(() => stage.close());

const say = (topic: string, content: string) =>
  stage.member.post('/messages', { type: 'stream', to: 'test', topic, content });
const callsOf = (botId: number) => stage.node.kernel.mysql('chat_outgoing_calls').where({ bot_id: botId });

describe('Mentions of an outgoing webhook bot', () => {
  test("A mention calls the bot's program in Zulip's format and posts its reply in the topic", async () => {
    const bot = await stage.newBot(saying({ content: 'pong' }));
    const content = `@**${bot.name}** ping`;
    const { body } = await say('zulip', content);
    expect(await messagesIn(stage, 'zulip', 2)).toEqual([
      { sender: 'member@example.com', content },
      { sender: bot.email, content: 'pong' },
    ]);
    const [request] = bot.received();
    expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(request!.body)).toEqual({
      data: content,
      bot_email: bot.email,
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      trigger: 'mention',
      message: expect.objectContaining({
        id: body.id,
        type: 'stream',
        display_recipient: 'test',
        subject: 'zulip',
        sender_email: 'member@example.com',
        content,
        content_type: 'text/x-markdown',
        rendered_content: expect.stringContaining('class="user-mention"'),
        avatar_url: expect.any(String),
        reactions: [],
        submessages: [],
      }),
    });
    expect(JSON.parse(request!.body).message).not.toHaveProperty('flags');
    const [call] = await until(
      async () => (await callsOf(bot.id)) as { state: string }[],
      ([each]) => each?.state === 'done',
    );
    expect(call).toMatchObject({ attempts: 1, cause: 'mention' });
  });

  test.each<[string, (widget: object) => unknown]>([
    ['JSON text, as in Zulip', (widget) => JSON.stringify(widget)],
    ['an object', (widget) => widget],
  ])('The widget_content of a reply becomes the widget of the message if it is %s', async (topic, written) => {
    const choices = [{ short_name: 'A', long_name: 'Answer A', reply: 'answer a' }];
    const widget = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Choose', choices } };
    const bot = await stage.newBot(saying({ content: 'Choose', widget_content: written(widget) }));
    await say(topic, `@**${bot.name}** ask me`);
    expect((await messagesIn(stage, topic, 2))[1]).toEqual({ sender: bot.email, content: 'Choose' });
    const narrow = [{ operator: 'sender', operand: bot.email }];
    const { body } = await stage.member.get('/messages', { anchor: 0, num_before: 0, num_after: 1, narrow });
    const [{ submessages }] = body.messages as [{ submessages: { content: string }[] }];
    expect(submessages).toEqual([expect.objectContaining({ msg_type: 'widget', sender_id: bot.id })]);
    expect(JSON.parse(submessages[0]!.content)).toEqual(widget);
  });

  test("A mention calls the bot's program in Slack's format", async () => {
    const bot = await stage.newBot(saying({ text: 'slack pong' }), { interface_type: 2 });
    await say('slack', `@**${bot.name}** ping`);
    expect((await messagesIn(stage, 'slack', 2))[1]).toEqual({ sender: bot.email, content: 'slack pong' });
    const [request] = bot.received();
    expect(Object.fromEntries(new URLSearchParams(request!.body))).toMatchObject({
      channel_name: 'test',
      text: `@**${bot.name}** ping`,
      trigger_word: 'mention',
      service_id: String(bot.id),
      user_id: String(stage.member.id),
    });
  });

  test('A message calls each mentioned bot once, however often it mentions the bot', async () => {
    const bots = [await stage.newBot(saying({ content: 'one' })), await stage.newBot(saying({ content: 'two' }))];
    await say('both', bots.map(({ name }) => `@**${name}** @**${name}**`).join(' '));
    const said = await messagesIn(stage, 'both', 3);
    expect(
      said
        .slice(1)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(['one', 'two']);
    expect(bots.map((bot) => bot.received().length)).toEqual([1, 1]);
  });

  test('A reply is posted once though its call is handled again', async () => {
    const bot = await stage.newBot(saying({ content: 'pong' }));
    await say('repeated', `@**${bot.name}** ping`);
    const isDone = (calls: number) =>
      until(
        async () => (await callsOf(bot.id)) as { state: string; answer_id: number | null }[],
        ([call]) => call?.state === 'done' && bot.received().length === calls,
      );
    const [first] = await isDone(1);
    // As if the worker had died before it recorded that the work was done.
    await callsOf(bot.id).update({ state: 'pending', answer_id: null });
    outgoingCalls.at(realmTenant(1 as RealmId), String(bot.id)).send(stage.node.kernel.jobs, WRITTEN);
    expect(await isDone(2)).toMatchObject([{ answer_id: first!.answer_id }]);
    expect(await stage.topic('repeated')).toHaveLength(2);
  });

  test('A program that wants no response posts nothing', async () => {
    const bot = await stage.newBot(saying({ response_not_required: true }));
    await say('silent', `@**${bot.name}** hush`);
    await until(
      async () => (await callsOf(bot.id)) as { state: string; answer_id: number | null }[],
      ([call]) => call?.state === 'done' && call.answer_id === null,
    );
    expect(await stage.topic('silent')).toHaveLength(1);
  });
});

describe('Messages that call no program', () => {
  test.each<[string, (name: string) => string]>([
    ['that does not mention its bot', () => 'hello'],
    ['that mentions everybody', () => '@**all** hello'],
    ['that mentions its bot silently', (name) => `@_**${name}** hello`],
    ['that quotes a mention', (name) => `> @**${name}** hello`],
  ])("A bot's program is not called for a message %s", async (title, contentOf) => {
    const bot = await stage.newBot(saying({ content: 'no' }));
    await say(title, contentOf(bot.name));
    expect(await callsOf(bot.id)).toEqual([]);
  });

  test("A bot's program is not called for a message of another bot, which prevents loops", async () => {
    const bot = await stage.newBot(saying({ content: 'no' }));
    const form = { type: 'stream', to: 'test', topic: 'bots', content: `@**${bot.name}** hi` };
    const sender = await stage.newBot(saying({}));
    expect((await stage.node.call('/api/v1/messages', { form, headers: sender.headers })).body.result).toBe('success');
    expect(await callsOf(bot.id)).toEqual([]);
  });

  test("A bot's program is not called for a private stream that the bot is not subscribed to", async () => {
    const bot = await stage.newBot(saying({ content: 'no' }));
    const subscriptions = [{ name: 'secret plans' }];
    await stage.member.post('/users/me/subscriptions', { subscriptions, invite_only: true });
    const content = `@**${bot.name}** psst`;
    await stage.member.post('/messages', { type: 'stream', to: 'secret plans', topic: 'x', content });
    expect(await callsOf(bot.id)).toEqual([]);
    const principals = [bot.email];
    await stage.member.post('/users/me/subscriptions', { subscriptions, principals });
    await stage.member.post('/messages', { type: 'stream', to: 'secret plans', topic: 'x', content });
    expect(await callsOf(bot.id)).toHaveLength(1);
  });

  test('A pending call of a deactivated bot is dropped', async () => {
    const bot = await stage.newBot(saying({ content: 'no' }));
    await stage.member.del(`/bots/${bot.id}`);
    await stage.node.kernel.mysql('chat_outgoing_calls').insert({
      realm_id: 1,
      bot_id: bot.id,
      message_id: 1,
      cause: 'mention',
      state: 'pending',
      due_at: stage.node.kernel.mysql.raw('NOW(3) - INTERVAL 1 MINUTE'),
      created_at: stage.node.kernel.mysql.raw('NOW(3)'),
    });
    await until(
      async () => (await callsOf(bot.id)) as { state: string }[],
      ([call]) => call?.state === 'dropped',
    );
    expect(bot.received()).toEqual([]);
  });
});

describe('Private messages to an outgoing webhook bot', () => {
  const privately = async (with_: readonly string[]) => {
    const narrow = [{ operator: 'pm-with', operand: with_.join(',') }];
    const query = { anchor: 10_000_000_000_000_000, num_before: 10, num_after: 0, apply_markdown: false, narrow };
    const { messages } = (await stage.member.get('/messages', query)).body as {
      messages: { sender_email: string; content: string }[];
    };
    return messages.map(({ sender_email: sender, content }) => ({ sender, content }));
  };

  test("A private message calls the bot's program, and the reply is posted in the conversation", async () => {
    const bot = await stage.newBot(saying({ response_string: 'yes?' }));
    await stage.member.post('/messages', { type: 'private', to: [bot.id], content: 'are you there' });
    const said = await until(
      () => privately([bot.email]),
      ({ length }) => length === 2,
    );
    expect(said[1]).toEqual({ sender: bot.email, content: 'yes?' });
    expect(JSON.parse(bot.received()[0]!.body)).toMatchObject({ trigger: 'private_message', data: 'are you there' });
  });

  test("A group private message calls the bot's program", async () => {
    const bot = await stage.newBot(saying({ content: 'hello all' }));
    const to = [bot.id, stage.owner.id];
    await stage.member.post('/messages', { type: 'private', to, content: 'all of you' });
    const said = await until(
      () => privately([bot.email, stage.owner.email]),
      ({ length }) => length === 2,
    );
    expect(said[1]).toEqual({ sender: bot.email, content: 'hello all' });
  });

  test("A private message to a bot with Slack's format fails without a call", async () => {
    const bot = await stage.newBot(saying({ text: 'no' }), { interface_type: 2 });
    await stage.member.post('/messages', { type: 'private', to: [bot.id], content: 'hi' });
    const said = await until(
      () => privately([bot.email]),
      ({ length }) => length === 2,
    );
    expect(said[1]!.content).toBe("Failure! Slack's format knows no private messages.");
    expect(bot.received()).toEqual([]);
  });
});
