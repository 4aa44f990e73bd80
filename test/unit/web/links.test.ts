import { targetOfHash } from '../../../web/chat/data/links';
import { useChat } from '../../../web/chat/data/store';
import type { Stream } from '../../../web/chat/data/wire';

const OWN = 7;
const stream = (stream_id: number, name: string) => ({ stream_id, name }) as Stream;

beforeAll(() =>
  useChat.setState({
    ownId: OWN,
    streams: new Map(
      [stream(5, 'general'), stream(6, 'night train'), stream(8, '2024-plans')].map((x) => [x.stream_id, x]),
    ),
  }),
);

test.each([
  ['of Zulip 2.1', '#narrow/stream/5-general/topic/the.20topic/near/12', '/stream/5/topic/the%20topic/near/12'],
  ['of today', '#narrow/channel/5-general/topic/the.20topic/near/12', '/stream/5/topic/the%20topic/near/12'],
  ['to a whole channel', '#narrow/channel/5-general', '/stream/5'],
  ['to a stream by its name', '#narrow/stream/night-train/topic/x', '/stream/6/topic/x'],
  ['to a stream whose name begins with digits', '#narrow/channel/2024-plans', '/stream/8'],
  ['to a stream that the page does not know', '#narrow/channel/99-secret/topic/x', '/stream/99/topic/x'],
  ['with an old name of the topic', '#narrow/stream/5-general/subject/x', '/stream/5/topic/x'],
  ['to private messages with one person', '#narrow/dm/9-Max-Member/near/4', '/private/9/near/4'],
  ['to private messages with several, in any order and with oneself', '#narrow/dm/12,7,9-group', '/private/9,12'],
  ['to private messages as 2.1 names them', '#narrow/pm-with/9,12-group', '/private/9,12'],
  ['to notes to oneself', '#narrow/dm/7-Me', '/private/7'],
  ['to all private messages', '#narrow/is/dm', '/private'],
  ['to all private messages as 2.1 names them', '#narrow/is/private', '/private'],
  ['to starred messages', '#narrow/is/starred', '/starred'],
  ['to mentions', '#narrow/is/mentioned', '/mentions'],
  ['to what is scheduled', '#scheduled', '/scheduled'],
])('A link %s leads to a view', (_, hash, path) => expect(targetOfHash(hash)?.path).toBe(path));

test('A link to a topic names a message that tells where the topic is now', () => {
  expect(targetOfHash('#narrow/channel/5-general/topic/x/with/12')).toEqual({
    path: '/stream/5/topic/x',
    messageId: 12,
  });
  expect(targetOfHash('#narrow/stream/5-general/topic/x/near/12')).toMatchObject({ messageId: 12 });
  expect(targetOfHash('#narrow/channel/5-general/topic/x/with/-1')).toEqual({ path: '/stream/5/topic/x' });
  expect(targetOfHash('#narrow/dm/9-Max/near/12')).not.toHaveProperty('messageId');
});

test.each([
  '',
  '#',
  '#inbox',
  '#narrow',
  '#narrow/is/nothing',
  '#narrow/dm/max',
  '#narrow/channel/unheard-of',
  '#other/stream/5',
])('The hash %j leads to no view', (hash) => expect(targetOfHash(hash)).toBeUndefined());
