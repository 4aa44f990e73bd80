// Hundreds of waiting polls are answered in turns: none is skipped, answered twice, or answered out of order.
import { setImmediate as turn } from 'node:timers/promises';
import { Entry } from '../../../src/chat/actors/recent-events/entry';
import { WaitingPolls, type Ending, type WaitingPoll } from '../../../src/chat/actors/recent-events/waiting-polls';
import { encodeAudience, type Audience, type Onlookers } from '../../../src/chat/model/events/audience';
import { numberAt, positionOf } from '../../../src/kernel/event-log/position';
import { entryBody } from '../../../src/chat/model/events/event';
import type { UserId } from '../../../src/chat/model/users/user';

const MANY = 300;
const filters = {
  eventTypes: null,
  narrow: [],
  allPublicStreams: false,
  wantsHtml: false,
  computesAvatars: false,
  includeSubscribers: false,
};

const entry = (number: number, to: Exclude<Audience, Onlookers> = 'everyone', size = 0): Entry =>
  new Entry({ number, body: entryBody({ type: 'x', to: encodeAudience(to) }, `{"type":"x${'-'.repeat(size)}"}`) }, 0);

interface Poll extends WaitingPoll {
  readonly endings: Ending[];
}

function pollOf(at: number, after = 0, due = Infinity): Poll {
  const endings: Ending[] = [];
  const cursor = positionOf(after);
  return {
    queue: { id: `queue ${at}`, base: 0, announcedAt: 0, filters },
    user: { id: at as UserId, role: 'member' },
    cursor,
    seen: cursor,
    since: 0,
    due,
    endings,
    end: (ending) => void endings.push(ending),
  };
}

function park(count: number): { waitingPolls: WaitingPolls; polls: Poll[] } {
  const waitingPolls = new WaitingPolls();
  const polls = Array.from({ length: count }, (_, at) => pollOf(at));
  for (const poll of polls) waitingPolls.add(poll);
  return { waitingPolls, polls };
}

/** Ids count from the base. */
const numbersOf = ({ endings }: Poll): number[][] =>
  endings.map((ending) =>
    ending.kind === 'events'
      ? ending.events.map((event) => numberAt((JSON.parse(event) as { id: number }).id + 1))
      : [],
  );

async function rest(waitingPolls: WaitingPolls): Promise<void> {
  for (let turns = 0; turns < 20 && waitingPolls.size > 0; turns += 1) await turn();
}

test('Some waiting polls are answered at once and all of them soon, each once', async () => {
  const { waitingPolls, polls } = park(MANY);
  waitingPolls.deliver([entry(1)]);
  expect(numbersOf(polls[0]!)).toEqual([[1]]);
  expect(waitingPolls.size).toBeGreaterThan(0);
  await rest(waitingPolls);
  for (const poll of polls) expect(numbersOf(poll)).toEqual([[1]]);
});

test('A poll that still waits for its turn gets later events too, in order', async () => {
  const { waitingPolls, polls } = park(MANY);
  waitingPolls.deliver([entry(1)]);
  waitingPolls.deliver([entry(2, [2 as UserId, 299 as UserId]), entry(3)]);
  // The audience names this user: the poll is answered at once, with every event.
  expect(numbersOf(polls.at(-1)!)).toEqual([[1, 2, 3]]);
  await rest(waitingPolls);
  expect(numbersOf(polls[0]!)).toEqual([[1]]);
  expect(numbersOf(polls[200]!)).toEqual([[1, 3]]);
});

test('A poll that an earlier event skipped still gets the next event', async () => {
  const { waitingPolls } = park(MANY);
  const deaf = pollOf(MANY);
  const heard = pollOf(0);
  waitingPolls.add(deaf);
  waitingPolls.add(heard);
  const first = encodeAudience(Array.from({ length: MANY }, (_, at) => at as UserId));
  waitingPolls.deliver([new Entry({ number: 1, body: entryBody({ type: 'x', to: first }, '{"type":"x"}') }, 0)]);
  const early = pollOf(5, 1);
  waitingPolls.add(early);
  waitingPolls.deliver([entry(2)]);
  await rest(waitingPolls);
  expect(numbersOf(deaf)).toEqual([[2]]);
  expect(numbersOf(heard)).toEqual([[1, 2]]);
  expect(numbersOf(early)).toEqual([[2]]);
});

test('A heartbeat never replaces an event that is still to be delivered', async () => {
  const { waitingPolls } = park(MANY);
  const due = pollOf(MANY, 0, 10);
  waitingPolls.add(due);
  waitingPolls.deliver([entry(1)]);
  expect(due.endings).toEqual([]);
  waitingPolls.beat(11, positionOf(1));
  expect(numbersOf(due)).toEqual([[1]]);
  await rest(waitingPolls);
  expect(due.endings).toHaveLength(1);
});

test('An answer to a poll is limited in size and says which event is its last', () => {
  const { waitingPolls, polls } = park(1);
  waitingPolls.deliver([entry(1, 'everyone', 900_000), entry(2, 'everyone', 200_000), entry(3)]);
  expect(numbersOf(polls[0]!)).toEqual([[1, 2]]);
  expect(polls[0]!.endings[0]).toMatchObject({ last: positionOf(2) });
});

test('A heartbeat is sent when it is due, and again requested if it lacks a position', () => {
  const { waitingPolls } = park(1);
  const [soon, later] = [pollOf(1, 5, 100), pollOf(2, 5, 200)];
  waitingPolls.add(soon);
  waitingPolls.add(later);
  const [head, tick] = [positionOf(5), positionOf(5, 1)];
  expect(waitingPolls.beat(99, positionOf(9))).toBe(0);
  expect(waitingPolls.beat(100, head)).toBe(head);
  expect(waitingPolls.beat(110, head)).toBe(head);
  expect(waitingPolls.beat(120, tick)).toBe(0);
  expect(soon.endings).toEqual([{ kind: 'heartbeat', position: tick }]);
  expect(later.endings).toEqual([]);
  expect(waitingPolls.beat(200, tick)).toBe(0);
  expect(later.endings).toEqual([{ kind: 'heartbeat', position: tick }]);
});
