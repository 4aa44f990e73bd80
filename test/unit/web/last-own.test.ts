import { lastOwn } from '../../../web/chat/data/last-own';
import { putMessage } from '../../../web/chat/data/messages';
import { useOutbox, type Outgoing } from '../../../web/chat/data/outbox';
import { useChat } from '../../../web/chat/data/store';
import type { Message } from '../../../web/chat/data/wire';

const TOPIC = { kind: 'topic', streamId: 1, topic: 'train' } as const;
const pending = (more: Partial<Outgoing> = {}): Outgoing => ({
  key: 'k',
  type: 'stream',
  to: [1],
  topic: 'train',
  content: 'x',
  at: 0,
  state: 'sending',
  ...more,
});
const lastOf = (entries: readonly Outgoing[], ids = [1, 2, 3]) => {
  useOutbox.setState({ entries });
  return lastOwn(TOPIC, ids)?.id;
};

beforeAll(() => {
  useChat.setState({ ownId: 7 });
  for (const [id, sender_id] of [
    [1, 7],
    [2, 7],
    [3, 8],
  ] as const)
    putMessage({ id, sender_id } as Message);
});

test('The last own message of the view is edited if no message is selected', () => {
  expect(lastOf([])).toBe(2);
  expect(lastOf([], [1, 3])).toBe(1);
  expect(lastOf([], [3])).toBeUndefined();
  expect(lastOf([], [])).toBeUndefined();
});

test('No message is edited while a newer own message of the view is being sent', () => {
  expect(lastOf([pending()])).toBeUndefined();
  expect(lastOf([pending({ id: 4 })])).toBeUndefined();
  expect(lastOf([pending({ id: 2 })])).toBe(2);
  expect(lastOf([pending({ topic: 'plane' })])).toBe(2);
});
