import { bodyOf, eventsIn, RECORD_GAP, type LedEvent } from '../../../src/kernel/mysql/outbox-rows';

const led = (lead: string, rest: string): LedEvent => ({ lead, rest });
const read = (events: readonly LedEvent[], record: number | null = null) =>
  eventsIn([{ number: 10, events: events.length, first_record: record, body: bodyOf(events) }]);

test('events come back whole, each with its own number, whatever leads they share', () => {
  const events = [
    led('{"to":[1]', ',"a":1}'),
    led('{"to":[1]', ',"a":2}'),
    led('{"to":[2]', ',"a":3}'),
    led('', '{"a":4}'),
    led('{"to":[2]', ',"a":5}'),
    led('{"to":[1]', ''),
  ];
  expect(read(events)).toEqual(
    events.map(({ lead, rest }, index) => ({ number: 10 - events.length + 1 + index, body: lead + rest })),
  );
});

test('a lead that many share is written once', () => {
  const lead = 'x'.repeat(1000);
  expect(bodyOf(Array.from({ length: 50 }, () => led(lead, 'y'))).length).toBeLessThan(1200);
});

test('the gap of each is filled with its own record', () => {
  const events = [led('{"a":1', `,"id":${RECORD_GAP}}`), led('{"a":1', `,"id":${RECORD_GAP}}`)];
  expect(read(events, 7).map(({ body }) => body)).toEqual(['{"a":1,"id":7}', '{"a":1,"id":8}']);
});

test('rows without any of this are read as they are', () => {
  const row = { number: 3, events: 1, first_record: null, body: '{"a":1}' };
  expect(eventsIn([row])).toEqual([{ number: 3, body: '{"a":1}' }]);
});
