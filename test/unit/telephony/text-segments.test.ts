import fc from 'fast-check';
import { segmentsOf, warningsOf } from '../../../src/telephony/model/texting/text-segments';

describe('segmentsOf', () => {
  test.each([
    ['', 'GSM-7', 1],
    ['a'.repeat(160), 'GSM-7', 1],
    ['a'.repeat(161), 'GSM-7', 2],
    ['a'.repeat(306), 'GSM-7', 2],
    ['a'.repeat(307), 'GSM-7', 3],
    ['a'.repeat(1600), 'GSM-7', 11],
    ['€'.repeat(80), 'GSM-7', 1],
    ['€'.repeat(81), 'GSM-7', 2],
    // A euro sign is never split: 152 and a half fit as 76 in each part.
    ['€'.repeat(153), 'GSM-7', 3],
    ['Ñandú ç', 'UCS-2', 1],
    ['Ñ Ö à Ç é ß § ¿ Ω', 'GSM-7', 1],
    ['я'.repeat(70), 'UCS-2', 1],
    ['я'.repeat(71), 'UCS-2', 2],
    ['я'.repeat(134), 'UCS-2', 2],
    ['я'.repeat(135), 'UCS-2', 3],
    ['👍'.repeat(35), 'UCS-2', 1],
    ['👍'.repeat(36), 'UCS-2', 2],
    // 67 places hold 33 pairs.
    ['👍'.repeat(67), 'UCS-2', 3],
    ['^{}[]~|\\'.repeat(10), 'GSM-7', 1],
    ['^{}[]~|\\'.repeat(10) + '.', 'GSM-7', 2],
  ])('The text %j has the expected encoding and number of segments', (text, encoding, count) => {
    expect(segmentsOf(text)).toEqual({ encoding, count });
  });

  test('A longer text never has fewer segments, and every segment is full except for at most one character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ maxLength: 50 }), (text, more) => {
        const { count, encoding } = segmentsOf(text);
        expect(segmentsOf(text + more).count).toBeGreaterThanOrEqual(count);
        if (encoding === 'UCS-2') expect(count).toBeLessThanOrEqual(Math.max(1, Math.ceil(text.length / 66)));
      }),
    );
  });

  test('A sender is warned of several segments, and of characters that make them short', () => {
    expect(warningsOf('hello')).toEqual([]);
    expect(warningsOf('a'.repeat(161))).toEqual([expect.stringContaining('2 parts')]);
    expect(warningsOf('я'.repeat(71))).toHaveLength(2);
  });
});
