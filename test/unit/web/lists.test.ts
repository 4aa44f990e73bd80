import fc from 'fast-check';
import { asAnswered, emptyList, withIds, withinLoaded, type MessageList } from '../../../web/chat/data/lists';
import type { MessagesAnswer } from '../../../web/chat/data/wire';

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

test('Moved messages join the loaded part of a view, and leave no gap at an end where more can be loaded', () => {
  const list = { ...listWith([30, 40]), hasOldest: false, hasNewest: true };
  expect(withinLoaded(list, [10, 35, 50]).ids).toEqual([30, 35, 40, 50]);
  expect(withinLoaded({ ...list, hasOldest: true, hasNewest: false }, [10, 35, 50]).ids).toEqual([10, 30, 35, 40]);
  expect(withinLoaded({ ...list, ids: [], hasOldest: true }, [10]).ids).toEqual([10]);
});

const loaded = (...all: number[]): MessageList => ({ ...listWith(all), hasNewest: true });
const answer = (ids: number[], found_oldest = false) =>
  ({ messages: ids.map((id) => ({ id })), found_oldest, found_newest: true }) as unknown as MessagesAnswer;

test('A view that is read again drops what was deleted, and has what is new', () => {
  expect(asAnswered(loaded(1, 3, 5, 7, 9), answer([5, 9, 11]), 9).ids).toEqual([1, 3, 5, 9, 11]);
});

test('From its beginning to its end, a view has what the server says', () => {
  const list = { ...loaded(3, 5, 7), hasOldest: true };
  expect(asAnswered(list, answer([1, 5], true), 7).ids).toEqual([1, 5]);
  expect(asAnswered(list, answer([], true), 7).ids).toEqual([]);
});

test('A message older than what is loaded is left to be loaded with those between', () => {
  expect(asAnswered(loaded(3, 5, 7), answer([1, 5, 7], true), 7).ids).toEqual([5, 7]);
});

test('Ids that are gone in front count, so that the virtual list keeps its position', () => {
  const list = loaded(1, 3, 5, 7);
  expect(asAnswered(list, answer([5, 7], true), 7).firstIndex).toBe(list.firstIndex + 2);
});
