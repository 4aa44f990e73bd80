import { isResolved, plainTopic, toggledTopic } from '../../../../web/chat/topics/resolved';

test.each([
  ['lunch', '✔ lunch'],
  ['✔ lunch', 'lunch'],
])('%s becomes %s', (topic, toggled) => {
  expect(toggledTopic(topic)).toBe(toggled);
});

test('A name as long as names may be is cut to make room for the mark', () => {
  const resolved = toggledTopic('é'.repeat(60));
  expect(Array.from(resolved).length).toBe(60);
  expect(isResolved(resolved)).toBe(true);
  expect(plainTopic(resolved)).toBe('é'.repeat(58));
});
