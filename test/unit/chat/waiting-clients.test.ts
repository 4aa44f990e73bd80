// Hundreds of waiting polls are answered in turns: none is skipped, answered twice, or answered out of order.
import { setImmediate as turn } from 'node:timers/promises';
import { Entry } from '../../../src/chat/actors/recent-events/entry';
import { WaitingClients, type News, type WaitingClient } from '../../../src/chat/actors/recent-events/waiting-clients';
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

interface Poll extends WaitingClient {
  readonly endings: News[];
}

function pollOf(at: number, after = 0, due = Infinity): Poll {
  const endings: News[] = [];
  const cursor = positionOf(after);
  return {
    queue: { id: `queue ${at}`, base: 0, announcedAt: 0, filters },
    user: { id: at as UserId, role: 'member' },
    cursor,
    seen: cursor,
    since: 0,
    due,
    isStream: false,
    endings,
    receive(news) {
      endings.push(news);
      return false;
    },
    end: () => {},
  };
}

function park(count: number): { waitingClients: WaitingClients; polls: Poll[] } {
  const waitingClients = new WaitingClients();
  const polls = Array.from({ length: count }, (_, at) => pollOf(at));
  for (const poll of polls) waitingClients.add(poll);
  return { waitingClients, polls };
}

/** Ids count from the base. */
const numbersOf = ({ endings }: Poll): number[][] =>
  endings.map((ending) =>
    ending.kind === 'events'
      ? ending.events.map((event) => numberAt((JSON.parse(event) as { id: number }).id + 1))
      : [],
  );

async function rest(waitingClients: WaitingClients): Promise<void> {
  for (let turns = 0; turns < 20 && waitingClients.size > 0; turns += 1) await turn();
}

test('Some waiting polls are answered at once and all of them soon, each once', async () => {
  const { waitingClients, polls } = park(MANY);
  waitingClients.deliver([entry(1)]);
  expect(numbersOf(polls[0]!)).toEqual([[1]]);
  expect(waitingClients.size).toBeGreaterThan(0);
  await rest(waitingClients);
  for (const poll of polls) expect(numbersOf(poll)).toEqual([[1]]);
});

test('A poll that still waits for its turn gets later events too, in order', async () => {
  const { waitingClients, polls } = park(MANY);
  waitingClients.deliver([entry(1)]);
  waitingClients.deliver([entry(2, [2 as UserId, 299 as UserId]), entry(3)]);
  // The audience names this user: the poll is answered at once, with every event.
  expect(numbersOf(polls.at(-1)!)).toEqual([[1, 2, 3]]);
  await rest(waitingClients);
  expect(numbersOf(polls[0]!)).toEqual([[1]]);
  expect(numbersOf(polls[200]!)).toEqual([[1, 3]]);
});

test('A poll that an earlier event skipped still gets the next event', async () => {
  const { waitingClients } = park(MANY);
  const deaf = pollOf(MANY);
  const heard = pollOf(MANY - 1);
  waitingClients.add(deaf);
  waitingClients.add(heard);
  const first = encodeAudience(Array.from({ length: MANY }, (_, at) => at as UserId));
  waitingClients.deliver([new Entry({ number: 1, body: entryBody({ type: 'x', to: first }, '{"type":"x"}') }, 0)]);
  const early = pollOf(5, 1);
  waitingClients.add(early);
  waitingClients.deliver([entry(2)]);
  await rest(waitingClients);
  expect(numbersOf(deaf)).toEqual([[2]]);
  expect(numbersOf(heard)).toEqual([[1, 2]]);
  expect(numbersOf(early)).toEqual([[2]]);
});

test('A heartbeat never replaces an event that is still to be delivered', async () => {
  const { waitingClients } = park(MANY);
  const due = pollOf(MANY, 0, 10);
  waitingClients.add(due);
  waitingClients.deliver([entry(1)]);
  expect(due.endings).toEqual([]);
  waitingClients.beat(11, positionOf(1));
  expect(numbersOf(due)).toEqual([[1]]);
  await rest(waitingClients);
  expect(due.endings).toHaveLength(1);
});

test('An answer to a poll is limited in size and says which event is its last', () => {
  const { waitingClients, polls } = park(1);
  waitingClients.deliver([entry(1, 'everyone', 900_000), entry(2, 'everyone', 200_000), entry(3)]);
  expect(numbersOf(polls[0]!)).toEqual([[1, 2]]);
  expect(polls[0]!.endings[0]).toMatchObject({ last: positionOf(2) });
});

test('A heartbeat is sent when it is due, and again requested if it lacks a position', () => {
  const { waitingClients } = park(1);
  const [soon, later] = [pollOf(1, 5, 100), pollOf(2, 5, 200)];
  waitingClients.add(soon);
  waitingClients.add(later);
  const [head, tick] = [positionOf(5), positionOf(5, 1)];
  expect(waitingClients.beat(99, positionOf(9))).toBe(0);
  expect(waitingClients.beat(100, head)).toBe(head);
  expect(waitingClients.beat(110, head)).toBe(head);
  expect(waitingClients.beat(120, tick)).toBe(0);
  expect(soon.endings).toEqual([{ kind: 'heartbeat', position: tick }]);
  expect(later.endings).toEqual([]);
  expect(waitingClients.beat(200, tick)).toBe(0);
  expect(later.endings).toEqual([{ kind: 'heartbeat', position: tick }]);
});
