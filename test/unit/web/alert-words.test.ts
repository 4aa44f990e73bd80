import { wordsIn } from '../../../web/chat/message/alert-words';

const found = (text: string, ...words: string[]) => wordsIn(text, words).map(({ from, to }) => text.slice(from, to));

test('Alert words are found whole, in any case and beside punctuation', () => {
  expect(found('Deadline! The "deadline", a deadlines', 'deadline')).toEqual(['Deadline', 'deadline']);
  expect(found('a (release plan).', 'release plan')).toEqual(['release plan']);
  expect(found('predeadline x-deadline', 'deadline')).toEqual([]);
});

test('Of alert words within each other the longest is marked, and each place once', () => {
  expect(found('the release plan and a plan', 'plan', 'release plan')).toEqual(['release plan', 'plan']);
  expect(found('plan', 'plan', 'PLAN')).toEqual(['plan']);
});

test('A text without alert words has no marks', () => {
  expect(found('nothing here', '')).toEqual([]);
  expect(found('', 'plan')).toEqual([]);
});
