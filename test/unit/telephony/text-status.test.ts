import fc from 'fast-check';
import { mayFollow, rankOf, statusOfAll, type SendStatus } from '../../../src/telephony/model/texting/texting';

const ALL = ['queued', 'sending', 'sent', 'delivered', 'failed'] as const;
const status = fc.constantFrom<SendStatus>(...ALL);

test.each([
  ['queued', ['sending', 'sent', 'delivered', 'failed']],
  ['sending', ['sent', 'delivered', 'failed']],
  ['sent', ['delivered', 'failed']],
  ['delivered', []],
  ['failed', []],
  ['received', []],
] as const)('A text that is %s may become only %j', (before, after) => {
  expect(ALL.filter((each) => mayFollow(before, each))).toEqual(after);
});

test.each([
  [['queued', 'sent'], 'queued'],
  [['failed', 'sent'], 'sent'],
  [['failed', 'delivered'], 'delivered'],
  [['failed', 'failed'], 'failed'],
  [['delivered', 'sending'], 'sending'],
  [[], 'queued'],
] as const)('A text whose copies are %j is %s', (copies, whole) => {
  expect(statusOfAll(copies)).toBe(whole);
});

test('The status of a text and its copies never goes back, whatever receipts come in whatever order', () => {
  const told = fc.array(fc.tuple(fc.nat(9), status), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), told, (size, receipts) => {
      const copies: SendStatus[] = Array.from({ length: size }, () => 'queued');
      let whole = statusOfAll(copies);
      for (const [index, next] of receipts) {
        const place = index % size;
        if (!mayFollow(copies[place]!, next)) continue;
        expect(rankOf(next)).toBeGreaterThan(rankOf(copies[place]!));
        copies[place] = next;
        const now = statusOfAll(copies);
        // It stays the same or moves forward: a final status is final.
        if (now !== whole) expect(mayFollow(whole, now)).toBe(true);
        whole = now;
      }
    }),
  );
});
