import {
  addUnread,
  countOf,
  countOfStream,
  emptyUnread,
  removeUnread,
  streamConversation,
} from '../../../web/chat/data/unread';

const lunch = streamConversation(5, 'Lunch');
const entry = (id: number, isMention = false) => ({ id, conversation: lunch, topic: 'Lunch', isMention });

test('Unread messages are counted by conversation and stream, and each change gives another object', () => {
  const none = emptyUnread();
  const some = addUnread(none, [entry(1), entry(2, true), entry(2, true)]);
  expect(some).not.toBe(none);
  expect([countOf(some, lunch), countOfStream(some, 5, () => true), some.mentions.size]).toEqual([2, 2, 1]);
  expect(some.topicNames.get(lunch)).toBe('Lunch');
  const fewer = removeUnread(some, [2, 9]);
  expect(fewer).not.toBe(some);
  expect([countOf(fewer, lunch), fewer.mentions.size]).toEqual([1, 0]);
  const empty = removeUnread(fewer, [1]);
  expect([countOf(empty, lunch), empty.messagesIn.size]).toEqual([0, 0]);
});

test('Unread counts without a change stay the same object', () => {
  const some = addUnread(emptyUnread(), [entry(1)]);
  expect(addUnread(some, [entry(1)])).toBe(some);
  expect(removeUnread(some, [2])).toBe(some);
});
