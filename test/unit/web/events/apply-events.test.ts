import { applyEvents } from '../../../../web/chat/events/apply-events';
import { useChat } from '../../../../web/chat/data/store';
import type { Message, ServerEvent } from '../../../../web/chat/data/wire';

let reported: unknown[] = [];
let received: number[] = [];

beforeEach(() => {
  reported = [];
  received = [];
  Object.assign(globalThis, { reportError: (error: unknown) => reported.push(error) });
  useChat.setState({ ownId: 7 });
});

const apply = (...events: object[]): void =>
  applyEvents(events as ServerEvent[], (messages: readonly Message[]) => {
    received.push(...messages.map(({ id }) => id));
  });
const message = (id: number) => ({
  id,
  type: 'message',
  flags: [],
  message: { id, type: 'stream', stream_id: 1, subject: 'train', sender_id: 8, display_recipient: 'fleet' },
});
/** A private message without its recipients. */
const broken = (id: number) => ({ id, type: 'message', flags: [], message: { id, type: 'private', sender_id: 8 } });

test('An event that cannot be applied is reported once, and those behind it are applied', () => {
  apply({ id: 1, type: 'update_message_flags', flag: 'read' }, message(2));
  expect(reported).toHaveLength(1);
  expect(received).toEqual([2]);
});

test('Of several messages, only the one that cannot be applied is skipped', () => {
  apply(message(3), broken(4), message(5));
  expect(reported).toHaveLength(1);
  expect(received).toEqual([3, 5]);
});

test('Events that can be applied cause no error report', () => {
  apply(message(6), message(7));
  expect(reported).toEqual([]);
  expect(received).toEqual([6, 7]);
});

test('Messages whose announcement fails are applied and announced once', () => {
  let announced = 0;
  const events = [message(8), message(9)] as unknown as ServerEvent[];
  applyEvents(events, () => {
    announced += 1;
    throw new TypeError('Illegal constructor');
  });
  expect(announced).toBe(1);
  expect(reported).toHaveLength(1);
  expect(useChat.getState().unread.conversationOf.has(9)).toBe(true);
});
