import { dateIn } from '../../../web/chat/data/search-terms';

const NOW = new Date(2026, 2, 1, 15, 30);

test.each([
  ['tea date:2026-02-28', new Date(2026, 1, 28)],
  ['date:2026-2', new Date(2026, 1, 1)],
  ['date:2026', new Date(2026, 0, 1)],
  ['date:today', new Date(2026, 2, 1)],
  ['date:Yesterday tea', new Date(2026, 1, 28)],
])('The search %s begins at midnight of the day that it names', (query, date) => {
  expect(dateIn(query, NOW)).toEqual(date);
});

test.each(['tea', 'date:2026-02-30', 'date:2026-13', 'date:soon', '-date:2026-02-28', '"date:today"'])(
  'The search %s names no day',
  (query) => {
    expect(dateIn(query, NOW)).toBeUndefined();
  },
);
