import { decodeEvents, decodeRow, encodeBody, encodeRow, RECORD_GAP } from '../../../src/kernel/event-log/codec';
import type { EventsRow, PrefixedEvent } from '../../../src/kernel/event-log/codec';

const prefixed = (prefix: string, rest: string): PrefixedEvent => ({ prefix, rest });
const rowOf = (events: readonly PrefixedEvent[], record: number | null = null): EventsRow => ({
  number: 10,
  events: events.length,
  first_record: record,
  body: encodeBody(events),
});

describe('Row bodies', () => {
  test('Events come back unchanged, each with its own number, whatever prefixes they share', () => {
    const events = [
      prefixed('{"to":[1]', ',"a":1}'),
      prefixed('{"to":[1]', ',"a":2}'),
      prefixed('{"to":[2]', ',"a":3}'),
      prefixed('', '{"a":4}'),
      prefixed('{"to":[2]', ',"a":5}'),
      prefixed('{"to":[1]', ''),
    ];
    expect(decodeEvents(rowOf(events))).toEqual(
      events.map(({ prefix, rest }, index) => ({ number: 10 - events.length + 1 + index, body: prefix + rest })),
    );
  });

  test('A prefix that many events share is written once', () => {
    const prefix = 'x'.repeat(1000);
    expect(encodeBody(Array.from({ length: 50 }, () => prefixed(prefix, 'y'))).length).toBeLessThan(1200);
  });

  test('The placeholder of each event is filled with its own record', () => {
    const events = [prefixed('{"a":1', `,"id":${RECORD_GAP}}`), prefixed('{"a":1', `,"id":${RECORD_GAP}}`)];
    expect(decodeEvents(rowOf(events, 7))!.map(({ body }) => body)).toEqual(['{"a":1,"id":7}', '{"a":1,"id":8}']);
  });

  test('A row of one plain event is read unchanged', () => {
    const row = { number: 3, events: 1, first_record: null, body: '{"a":1}' };
    expect(decodeEvents(row)).toEqual([{ number: 3, body: '{"a":1}' }]);
  });

  test('A body of a version that this release does not know is refused', () => {
    expect(decodeEvents({ number: 3, events: 1, first_record: null, body: '\u001C2\u001C{"a":1}' })).toBeUndefined();
  });
});

describe('Rows in Redis', () => {
  const rows: EventsRow[] = [
    { number: 12, events: 3, first_record: 41, body: '{"a": "b c"}' },
    { number: 1, events: 1, first_record: null, body: '' },
    { number: 9, events: 1, first_record: null, body: ' 7 8 9' },
  ];

  test.each(rows)('The row $number is read back as it was written', (row) => {
    expect(decodeRow(encodeRow(row))).toEqual(row);
  });

  test('The text of a row begins with its version', () => {
    expect(encodeRow(rows[0]!)).toBe('\t12 3 41 {"a": "b c"}');
  });

  test.each(['12 1  {}', 'v2 12 1  {}', '\u001C12 1  {}', '\t\t12 1  {}', '', '{"number":12}'])(
    'Text of a version that this release does not know is refused: %j',
    (text) => expect(decodeRow(text)).toBeUndefined(),
  );
});
