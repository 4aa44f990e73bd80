import {
  callRequest,
  checkEndpointUrl,
  checkInterface,
  readReply,
  type BotReply,
  type CallFacts,
} from '../../../src/chat/model/bots/outgoing-webhook';
import { callsOf, type Addressed } from '../../../src/chat/commands/messages/compose-message';
import type { UserId } from '../../../src/chat/model/users/user';

const message = {
  id: 42,
  type: 'stream',
  stream_id: 7,
  display_recipient: 'Denmark',
  subject: 'castle',
  sender_id: 3,
  sender_email: 'hamlet@example.com',
  sender_full_name: 'King Hamlet',
  sender_realm_str: 'zulip',
  timestamp: 1_600_000_000,
  content: '@**Echo** hi & bye',
  rendered_content: '<p>hi</p>',
};
const facts = (format: 1 | 2, changes: Partial<CallFacts> = {}): CallFacts => ({
  endpoint: { name: 'echo', interface: format, url: 'https://bots.example/', token: 'secret-token' },
  bot: { id: 9 as UserId, email: 'echo-bot@example.com' },
  cause: 'mention',
  content: '@**Echo** hi & bye',
  message,
  ...changes,
});

describe('Requests to outgoing webhooks', () => {
  test("An outgoing webhook in Zulip's format gets the message as JSON", () => {
    const { headers, body } = callRequest(facts(1))!;
    expect(headers).toMatchObject({ 'Content-Type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      data: '@**Echo** hi & bye',
      message,
      bot_email: 'echo-bot@example.com',
      token: 'secret-token',
      trigger: 'mention',
    });
  });

  test("An outgoing webhook in Slack's format gets the message as a form", () => {
    const { headers, body } = callRequest(facts(2))!;
    expect(headers).toMatchObject({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      token: 'secret-token',
      team_id: 'zulip',
      team_domain: 'example.com',
      channel_id: '7',
      channel_name: 'Denmark',
      timestamp: '1600000000',
      user_id: '3',
      user_name: 'King Hamlet',
      text: '@**Echo** hi & bye',
      trigger_word: 'mention',
      service_id: '9',
    });
  });

  test("An outgoing webhook in Slack's format gets no private messages, which this format cannot express", () => {
    const called = { ...message, type: 'private', display_recipient: [] };
    expect(callRequest(facts(2, { cause: 'private_message', message: called }))).toBeNull();
    expect(callRequest(facts(1, { cause: 'private_message', message: called }))).not.toBeNull();
  });
});

describe('Bots that a message mentions', () => {
  const ids = Array.from({ length: 30 }, (_, index) => (index + 1) as UserId);
  const destination = { type: 'stream' } as Addressed['destination'];
  const addressed = { destination, isPublic: true, subscribers: new Set() } as unknown as Addressed;

  test('A message calls the mentioned bots that have an outgoing webhook', () => {
    const calls = callsOf(addressed, { mentionedUserIds: [3, 5, 7] as UserId[] }, new Set([5, 9] as UserId[]));
    expect(calls).toEqual([{ botId: 5, cause: 'mention' }]);
  });

  test('A message calls twenty bots at most, however many it mentions', () => {
    expect(callsOf(addressed, { mentionedUserIds: ids }, new Set(ids))).toHaveLength(20);
  });
});

describe('Replies of outgoing webhooks', () => {
  test.each<[string, BotReply | undefined | null]>([
    ['{"content":"hello"}', { content: 'hello' }],
    ['{"response_string":"hello","content":"no"}', { content: 'hello' }],
    ['{"response_not_required":true,"content":"no"}', undefined],
    ['{"response_not_required":false,"content":"yes"}', { content: 'yes' }],
    ['{"content":7}', { content: '7' }],
    ['{"content":null}', undefined],
    ['{"content":"  "}', undefined],
    ['{"content":"\\ud800x"}', { content: '\ufffdx' }],
    ['{"content":"a","widget_content":"{}"}', { content: 'a', widget: '{}' }],
    ['{"content":"a","widget_content":{"b":1}}', { content: 'a', widget: '{"b":1}' }],
    ['{"content":"a","widget_content":null}', { content: 'a' }],
    ['{"content":"","widget_content":"{}"}', undefined],
    ['{"response_string":"a","widget_content":"{}"}', { content: 'a' }],
    ['{"text":"no"}', undefined],
    ['{}', undefined],
    ['', undefined],
    [' \n', undefined],
    ['ok', null],
    ['[]', null],
    ['"text"', null],
    ['null', null],
    ['{"content":', null],
  ])("The reply %s in Zulip's format is read as %j", (body, said) => {
    expect(readReply(1, body)).toEqual(said);
  });

  test.each<[string, BotReply | undefined | null]>([
    ['{"text":"hello"}', { content: 'hello' }],
    ['{"text":"hello","widget_content":"{}"}', { content: 'hello' }],
    ['{"content":"no"}', undefined],
    ['', undefined],
    ['ok', null],
  ])("The reply %s in Slack's format is read as %j", (body, said) => {
    expect(readReply(2, body)).toEqual(said);
  });
});

describe('Endpoints of outgoing webhooks', () => {
  test.each([
    'https://bots.example/path?x=1',
    'http://10.0.0.1:8080/',
    'https://user:key@bots.example/',
    'http://[::1]/',
  ])('The endpoint URL %s is accepted, and the address is checked when it is called', (url) =>
    expect(checkEndpointUrl(url, 'payload_url')).toBe(url),
  );

  test.each([
    '',
    'bots.example',
    'ftp://bots.example/',
    'javascript:alert(1)',
    'http://localhost/',
    'http://',
    'x'.repeat(9),
  ])('The endpoint URL "%s" is refused because it is not a URL', (url) =>
    expect(() => checkEndpointUrl(url, 'payload_url')).toThrow('payload_url is not a URL'),
  );

  test.each([0, 3, -1])('The interface number %d is refused', (written) => {
    expect(() => checkInterface(written)).toThrow('Invalid interface type');
  });
});
