import { isHeard, isShown } from '../../../../web/chat/notices/concerns';
import { topicKey, useChat } from '../../../../web/chat/data/store';
import type { Message, Subscription, TopicPolicy } from '../../../../web/chat/data/wire';

const STREAM = 3;
const TOPIC = 'trains';

interface Choices {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly stream?: Partial<Subscription>;
  readonly policy?: TopicPolicy;
}

function choose({ settings = {}, stream = {}, policy }: Choices): void {
  const own = {
    stream_id: STREAM,
    is_muted: false,
    desktop_notifications: false,
    audible_notifications: false,
    wildcard_mentions_notify: true,
    ...stream,
  } as Subscription;
  const userTopic = { stream_id: STREAM, topic_name: TOPIC, last_updated: 0, visibility_policy: policy ?? 0 };
  useChat.setState({
    ownId: 7,
    settings,
    subscriptions: new Map([[STREAM, own]]),
    userTopics: new Map(policy === undefined ? [] : [[topicKey(STREAM, TOPIC), userTopic]]),
  });
}

const message = (more: Partial<Message> = {}): Message =>
  ({
    id: 1,
    type: 'stream',
    sender_id: 8,
    stream_id: STREAM,
    subject: TOPIC,
    flags: [],
    ...more,
  }) as unknown as Message;

const told = (each: Message) => ({ shown: isShown(each), heard: isHeard(each) });
const BOTH = { shown: true, heard: true };
const NEITHER = { shown: false, heard: false };

test.each<[string, Choices, Partial<Message>, ReturnType<typeof told>]>([
  ['a message in a stream', {}, {}, NEITHER],
  ['a private message', {}, { type: 'private' }, BOTH],
  ['a mention', {}, { flags: ['mentioned'] }, BOTH],
  ['a mention in a muted topic', { policy: 1 }, { flags: ['mentioned'] }, BOTH],
  ['an alert word', {}, { flags: ['has_alert_word'] }, BOTH],
  ['a followed topic', { policy: 3 }, {}, BOTH],
  ['a followed topic of a muted stream', { policy: 3, stream: { is_muted: true } }, {}, BOTH],
  ['a mention of everybody', {}, { flags: ['wildcard_mentioned'] }, BOTH],
  [
    'a mention of everybody where these are turned off',
    { stream: { wildcard_mentions_notify: false } },
    { flags: ['wildcard_mentioned'] },
    NEITHER,
  ],
  ['a stream with notes', { stream: { desktop_notifications: true } }, {}, { shown: true, heard: false }],
  ['a stream with sounds', { stream: { audible_notifications: true } }, {}, { shown: false, heard: true }],
  ['a muted topic of a stream with notes', { stream: { desktop_notifications: true }, policy: 1 }, {}, NEITHER],
  ['what one has read elsewhere', {}, { type: 'private', flags: ['read'] }, NEITHER],
  ['one’s own message', {}, { type: 'private', sender_id: 7 }, NEITHER],
])('The reader is told of %s as the settings say', (_, choices, more, expected) => {
  choose(choices);
  expect(told(message(more))).toEqual(expected);
});
