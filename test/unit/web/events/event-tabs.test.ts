import { SeenEvents } from '../../../../web/chat/events/seen-events';
import { Tabs } from '../../../../web/chat/events/tabs';

/** The tabs of a browser: what one posts the others get in order. A frozen tab gets it when it is thawed. */
class Channel {
  static open: Channel[] = [];
  isFrozen = false;
  #late: unknown[] = [];
  #listener: (event: { data: unknown }) => void = () => undefined;

  readonly name: string;

  constructor(name: string) {
    this.name = name;
    Channel.open.push(this);
  }
  addEventListener(_: string, listener: (event: { data: unknown }) => void): void {
    this.#listener = listener;
  }
  postMessage(data: unknown): void {
    for (const each of Channel.open)
      if (each !== this && each.name === this.name) queueMicrotask(() => each.get(structuredClone(data)));
  }
  get(data: unknown): void {
    if (this.isFrozen) this.#late.push(data);
    else this.#listener({ data });
  }
  thaw(): void {
    this.isFrozen = false;
    for (const data of this.#late.splice(0)) this.get(data);
  }
  close(): void {
    Channel.open = Channel.open.filter((each) => each !== this);
  }
}

interface Waiting {
  readonly run: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}
const stopped = () => Object.assign(new Error('stopped'), { name: 'AbortError' });

/** One lock of each name, as browsers keep them. */
class Locks {
  readonly #holders = new Map<string, Waiting>();
  readonly #queues = new Map<string, Waiting[]>();

  request(name: string, { steal = false, signal }: LockOptions, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      const waiting: Waiting = { run, resolve, reject };
      if (steal) {
        this.#holders.get(name)?.reject(stopped());
        this.#holders.delete(name);
        queue.unshift(waiting);
      } else queue.push(waiting);
      signal?.addEventListener('abort', () => {
        if (!queue.includes(waiting)) return;
        queue.splice(queue.indexOf(waiting), 1);
        reject(stopped());
      });
      this.#next(name);
    });
  }

  #next(name: string): void {
    const next = this.#holders.has(name) ? undefined : this.#queues.get(name)!.shift();
    if (!next) return;
    this.#holders.set(name, next);
    void next.run().then(() => {
      next.resolve();
      if (this.#holders.get(name) !== next) return;
      this.#holders.delete(name);
      this.#next(name);
    });
  }
}

interface Tab {
  readonly tabs: Tabs;
  readonly channel: Channel;
  readonly seen: SeenEvents;
  readonly got: number[];
  gaps: number;
}
const all: Tab[] = [];
const status = { queueId: 'q', isOffline: false, retryAt: 0, isBuffered: false };

function openTab(last: number, account = 1): Tab {
  const seen = new SeenEvents(last);
  const got: number[] = [];
  const tabs = new Tabs({
    account,
    isComparable: true,
    seen,
    status: () => status,
    onNews: (events) => got.push(...events.map(({ id }) => id)),
    onGap: () => (tab.gaps += 1),
    onUrgent: () => undefined,
  });
  const tab: Tab = { tabs, channel: Channel.open.at(-1)!, seen, got, gaps: 0 };
  all.push(tab);
  return tab;
}
/** The leader receives an event from the server. */
function receive({ tabs, seen }: Tab, id: number): void {
  const batch = { after: seen.last, to: id, events: [{ id, type: 'x' }] };
  seen.take(batch);
  tabs.tell(batch);
}
const settle = () => jest.advanceTimersByTimeAsync(10);
const leaders = (): Tab[] => all.filter(({ tabs }) => tabs.isLeader);

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { BroadcastChannel: Channel });
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new Locks() }, configurable: true });
});
afterEach(() => {
  for (const { tabs } of all.splice(0)) tabs.close();
  jest.useRealTimers();
});

test('One tab leads, and the others get its events and those from before they listened', async () => {
  const leader = openTab(1000);
  await settle();
  receive(leader, 2000);
  const [early, late] = [openTab(1000), openTab(2000)];
  await settle();
  receive(leader, 3000);
  await settle();
  expect(leaders()).toEqual([leader]);
  expect([early.got, late.got]).toEqual([[2000, 3000], [3000]]);
});

test('When the leader is closed, another tab leads at once', async () => {
  const [first, second, third] = [openTab(1000), openTab(1000), openTab(1000)];
  await settle();
  receive(first, 2000);
  first.tabs.close();
  await settle();
  expect(leaders()).toEqual([second]);
  receive(second, 3000);
  await settle();
  expect(third.got).toEqual([2000, 3000]);
});

test('A leader that does not answer loses the lead, and gets the events that it missed when it wakes', async () => {
  const [frozen, other] = [openTab(1000), openTab(1000)];
  await settle();
  const turn = frozen.tabs.turn;
  frozen.channel.isFrozen = true;
  for (let ms = 0; ms < 31_000 && !turn.aborted; ms += 10) await settle();
  expect(leaders()).toEqual([other]);
  receive(other, 2000);
  frozen.channel.thaw();
  await jest.advanceTimersByTimeAsync(40_000);
  expect(leaders()).toEqual([other]);
  expect(frozen.got).toEqual([2000]);
});

test('A leader that answers keeps the lead', async () => {
  const leader = openTab(1000);
  await settle();
  openTab(1000);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(leaders()).toEqual([leader]);
});

test('A tab learns that no other tab has the events that are missing in it', async () => {
  openTab(5000);
  await settle();
  const behind = openTab(1000);
  await settle();
  expect(behind).toMatchObject({ gaps: 1, got: [] });
});

test('Tabs of two accounts lead and listen apart', async () => {
  const [one, two] = [openTab(1000, 1), openTab(1000, 2)];
  await settle();
  expect(leaders()).toEqual([one, two]);
  receive(one, 2000);
  await settle();
  expect(two.got).toEqual([]);
});

test('Without locks each tab leads itself', () => {
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  openTab(1000);
  openTab(1000);
  expect(leaders()).toHaveLength(2);
});
