import fc from 'fast-check';
import { alertedUsers, indexAlertWords } from '../../../src/chat/model/users/alert-words';
import type { UserId } from '../../../src/chat/model/users/user';
import { tries } from '../../support/search';

const alerted = (text: string, ...words: string[]) =>
  alertedUsers(text, indexAlertWords(words.map((word, index) => ({ userId: (index + 1) as UserId, word }))));

test('An alert word matches as a whole word, in any case, next to punctuation', () => {
  for (const text of ['lunch', 'LUNCH!', '(lunch) now', 'after "Lunch"?', 'x\nlunch: yes', '**lunch**', '>lunch']) {
    expect(alerted(text, 'Lunch')).toEqual([1]);
  }
  for (const text of ['lunchtime', 'brunch', 'a-lunch', 'lunch/dinner', '', 'l unch']) {
    expect(alerted(text, 'lunch')).toEqual([]);
  }
});

test('An alert word may have spaces and punctuation, and several users may have the same one', () => {
  expect(alerted('we said: free beer, today', 'free beer', 'beer', 'free  beer')).toEqual([1, 2]);
  expect(alerted('this is (important).', '(important)', "o'clock")).toEqual([1]);
  expect(alerted("at five o'clock", '(important)', "o'clock")).toEqual([2]);
  expect(alerted('tea', 'tea', 'TEA')).toEqual([1, 2]);
});

test('The search for alert words finds the same words as a regular expression for each', () => {
  const sign = fc.constantFrom('a', 'b', ' ', '.', ',', '(', '"', '>', '-');
  const text = fc.array(sign, { maxLength: 14 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(text, text, (said, word) => {
      fc.pre(word !== '');
      const pattern = word.replaceAll(/[.()]/g, '\\$&');
      const isSaid = new RegExp(`(?:^|[\\s(".,';[*\`>])${pattern}(?=$|[\\s)"?:.,';\\]!*\`])`).test(said);
      expect(alerted(said, word)).toEqual(isSaid ? [1] : []);
    }),
    { numRuns: tries(2000) },
  );
});
