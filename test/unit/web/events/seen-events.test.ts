import { SeenEvents, type Batch } from '../../../../web/chat/events/seen-events';
import { openFrameReader } from '../../../../web/chat/events/stream';

const event = (id: number) => ({ id, type: 'x' });
const batch = (after: number, ...ids: number[]): Batch => ({
  after,
  to: Math.max(after, ...ids),
  events: ids.map(event),
});
const idsOf = (events: Batch['events'] | undefined) => events?.map(({ id }) => id);

describe('The events that a tab has seen', () => {
  test('Events that arrive twice are new once', () => {
    const seen = new SeenEvents(1000);
    expect(idsOf(seen.take(batch(1000, 2000, 3000)))).toEqual([2000, 3000]);
    expect(idsOf(seen.take(batch(2000, 3000, 4000)))).toEqual([4000]);
    expect(idsOf(seen.take(batch(0, 1000)))).toEqual([]);
    expect(seen.last).toBe(4000);
  });

  test('A batch that begins after a missing event is refused, and changes nothing', () => {
    const seen = new SeenEvents(1000);
    expect(seen.take(batch(2000, 3000))).toBeUndefined();
    expect(seen.last).toBe(1000);
    expect(idsOf(seen.take(batch(1000, 2000)))).toEqual([2000]);
    expect(idsOf(seen.take(batch(2000, 3000)))).toEqual([3000]);
  });

  test('Nothing is missing if only events beside the log were not seen', () => {
    expect(idsOf(new SeenEvents(1000).take(batch(1004, 2000)))).toEqual([2000]);
  });

  test('A tab gets what it lacks from another tab', () => {
    const [leader, other] = [new SeenEvents(1000), new SeenEvents(2000)];
    leader.take(batch(1000, 2000, 2001, 3000));
    leader.take(batch(3000, 4000));
    expect(idsOf(other.take(leader.since(other.last)))).toEqual([2001, 3000, 4000]);
    expect(leader.since(4000)).toEqual(batch(4000));
    // A tab that is ahead needs nothing.
    expect(idsOf(other.take(new SeenEvents(3000).since(other.last)))).toEqual([]);
  });

  test('A tab cannot get events from a tab that began later, or no longer has them', () => {
    const behind = new SeenEvents(1000);
    expect(behind.take(new SeenEvents(2000).since(1000))).toBeUndefined();
    const leader = new SeenEvents(1000);
    for (let id = 2000; id <= 1_000_000; id += 1000) leader.take(batch(id - 1000, id));
    expect(behind.take(leader.since(behind.last))).toBeUndefined();
    expect(idsOf(new SeenEvents(999_000).take(leader.since(999_000)))).toEqual([1_000_000]);
  });
});

test('A stream is read the same wherever its pieces end', () => {
  const text = ':\n\nid: 5\ndata: {"id":5,"type":"a: \\n"}\n\nid: 6\ndata: {"id":6,"type":"b"}\n\nretry: 120\n\n';
  for (let size = 1; size <= text.length; size += 1) {
    const read = openFrameReader();
    const found = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      read(text.slice(at * size, (at + 1) * size)),
    );
    expect(found.flatMap(({ events }) => events)).toEqual([
      { id: 5, type: 'a: \n' },
      { id: 6, type: 'b' },
    ]);
    expect(found.findLast(({ retryMs }) => retryMs !== undefined)?.retryMs).toBe(120);
  }
});
