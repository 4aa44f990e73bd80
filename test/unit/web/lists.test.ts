import fc from 'fast-check';
import { emptyList, withIds, type MessageList } from '../../../web/chat/data/lists';

const ids = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
const listWith = (all: readonly number[]): MessageList => withIds(emptyList({ kind: 'all' }), all);
const sorted = (all: readonly number[]): number[] => [...new Set(all)].sort((a, b) => a - b);

test('A message list has every id once and in order, and its first index counts the ids added in front', () => {
  fc.assert(
    fc.property(ids, ids, (before, added) => {
      const list = listWith(before);
      const next = withIds(list, added);
      expect(next.ids).toEqual(sorted([...before, ...added]));
      const inFront = before.length === 0 ? 0 : sorted(added).filter((id) => id < list.ids[0]!).length;
      expect(next.firstIndex).toBe(list.firstIndex - inFront);
    }),
  );
});

test('A message list without changes stays the same object, so that React draws nothing', () => {
  const list = listWith([3, 5, 7]);
  expect(withIds(list, [])).toBe(list);
  expect(withIds(list, [7, 3])).toBe(list);
  expect(withIds(list, [5])).toBe(list);
});
