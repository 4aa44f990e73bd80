/** The chat in Chromium with a CPU slowed four times: time until it is readable, and behaviour with large data. */
import { pairsByName, type Benchmark, type Figure, type Side, type Suite } from '../harness/benchmark';
import { openSlowBrowser, type SlowBrowser } from '../harness/browser';
import { openCrowd } from '../harness/crowd';
import { developmentKey, startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';
import { percentile } from '../harness/statistics';
import { watchProcess } from '../harness/watch';
import { changeView, findInPalette, firstLoad, heapOf, scrollToStart, showLast } from '../load/page-work';
import { byWhen, type Tell } from '../load/by-when';
import { openTopics, type Topics } from '../load/topics';

const ROUNDS = 10;
const READER = 'member@example.com';
const FIRST_OF_CROWD = 'person0@example.com';
/** Size of the large organisation; its people are the crowd's ten thousand. */
const STREAMS = 1000;
/** So long may the work stand still. How long all of it takes is the machine's business. */
const STILL_MS = 120_000;
/** What the page has received after months without a reload. */
const RECEIVED = 100_000;
/**
 * So many are sent: five times what the page keeps of a view. From then on it only forgets, so that what the heap still
 * grows by in the second half is a leak, and counts for each message up to RECEIVED. All of them would take a quarter of an
 * hour on a slow machine, and show no more.
 */
const SENT = 20_000;

const atMost = (name: string, unit: Figure['unit'], value: number): Figure => ({
  name,
  from: name,
  unit,
  target: { of: 'ours', is: 'at most', value },
});

/** The limit is people's patience. There is no warm-up, because a first load is a first load. */
const benchmark = (name: string, about: string, figures: readonly Figure[]): Benchmark => ({
  name: `web-${name}`,
  about,
  limit: 'what people bear',
  unit: 'round',
  idle: true,
  figures,
});

const p95 = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.95,
  );

type Round = (at: number) => Promise<number>;

async function rounds(name: string, tell: Tell, round: Round): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    tell(`${name} ${at + 1}`);
    taken.push(await round(at));
  }
  return taken;
}

type Work = (tell: Tell) => Promise<Readonly<Record<string, number>>>;

interface Opened {
  readonly browser: SlowBrowser;
  readonly topics: Topics;
  readonly isQuick: boolean;
}

async function load({ browser, topics }: Opened, tell: Tell, email = READER) {
  let script = 0;
  const path = await topics.path('loaded', 50);
  const usable: number[] = [];
  const readable = await rounds('load', tell, async () => {
    const page = await browser.open(email, path);
    const taken = await firstLoad(page);
    usable.push(taken.usable);
    script = taken.script / 1000;
    await page.close();
    return taken.readable;
  });
  return { 'readable p95': p95(readable), 'usable p95': p95(usable), JavaScript: script };
}

async function views({ browser, topics }: Opened, tell: Tell) {
  const paths: string[] = [];
  for (let at = 0; at < ROUNDS; at += 1) paths.push(await topics.path(`view${at}x`, 50, tell));
  const { page, close } = await browser.open(READER, await topics.path('loaded', 50));
  const turn = (at: number) => changeView(page, paths[at]!, `view${at}x`);
  const fresh = await rounds('view not cached', tell, turn);
  const cached = await rounds('view cached', tell, turn);
  await close();
  return { 'cached p95': p95(cached), 'not cached p95': p95(fresh) };
}

async function scroll({ browser, topics, isQuick }: Opened, tell: Tell) {
  const path = await topics.path('long', isQuick ? 500 : 10_000, tell);
  const { page, close } = await browser.open(READER, `${path}/near/${topics.lastId('long')}`);
  const { longest, slowFrames } = await scrollToStart(page, 'long 0', tell);
  await close();
  return { 'longest frame': longest, 'frames over 50 ms': slowFrames };
}

async function heap({ browser, topics, isQuick }: Opened, tell: Tell) {
  const slow = await browser.open(READER, await topics.path('heap', 1));
  const half = isQuick ? 500 : SENT / 2;
  const heapAfterHalf = async (): Promise<number> => {
    await topics.say('heap', half, tell);
    await showLast(slow.page, `heap ${topics.count('heap') - 1}`, tell);
    return (await heapOf(slow)) / 1024;
  };
  const before = await heapAfterHalf();
  const measured = await heapAfterHalf();
  await slow.close();
  const growth = isQuick ? 0 : Math.max(0, measured - before) / half;
  return { heap: measured + growth * (RECEIVED - SENT), measured, growth: growth * 1000 };
}

async function large(opened: Opened, bench: Bench, tell: Tell) {
  const crowd = await openCrowd(bench);
  for (let at = 0; at < STREAMS; at += 1) {
    await crowd.stream(`large ${at}`, 1);
    tell(`${at + 1} streams made`);
  }
  const { 'readable p95': readable } = await load(opened, tell, FIRST_OF_CROWD);
  const { page, close } = await opened.browser.open(FIRST_OF_CROWD, await opened.topics.path('loaded', 50));
  const found = await rounds('palette', tell, (at) => findInPalette(page, `large ${at + 500}`, `large ${at + 500}`));
  await close();
  return { 'readable p95': readable, 'palette p95': p95(found) };
}

export const webSuite: Suite = {
  benchmarks: [
    benchmark('load', 'the first conversation, from an empty cache', [
      atMost('readable p95', 'ms', 1200),
      // When the rest of the page is there too. It has no target.
      { name: 'usable p95', from: 'usable p95', unit: 'ms' },
      atMost('JavaScript', 'KB', 200),
    ]),
    benchmark('views', 'from one conversation to another', [
      atMost('cached p95', 'ms', 80),
      atMost('not cached p95', 'ms', 250),
    ]),
    benchmark('scroll', 'up through 10,000 messages', [
      atMost('longest frame', 'ms', 50),
      atMost('frames over 50 ms', '', 0),
    ]),
    benchmark('heap', 'the page after 100,000 received messages', [
      atMost('heap', 'KiB', 150 * 1024),
      // What was measured, and what each thousand messages more cost. The target is that of the sum.
      { name: 'after 20,000', from: 'measured', unit: 'KiB' },
      { name: 'each 1,000 more', from: 'growth', unit: 'KiB' },
    ]),
    benchmark('large', 'an organisation of 1,000 streams and 10,000 people', [
      atMost('readable p95', 'ms', 1200),
      atMost('palette p95', 'ms', 300),
    ]),
  ],
  async open(bench) {
    const node = await startNode(bench);
    const url = `http://127.0.0.1:${node.port}`;
    const browser = await openSlowBrowser(url);
    bench.signal.addEventListener('abort', () => void browser.close());
    const topics = openTopics(url, await developmentKey(node, 'owner@example.com'));
    const opened = { browser, topics, isQuick: bench.pace.measureMs < 1000 };
    const side = (name: string, work: Work): Side => ({
      watched: [watchProcess('server', node)],
      run: async () => ({ units: ROUNDS, figures: await byWhen(name, STILL_MS, work) }),
    });
    const limit = { watched: [], run: () => Promise.resolve({ units: 1, figures: {} }) };
    const works: Readonly<Record<string, Work>> = {
      'web-load': (tell) => load(opened, tell),
      'web-views': (tell) => views(opened, tell),
      'web-scroll': (tell) => scroll(opened, tell),
      'web-heap': (tell) => heap(opened, tell),
      'web-large': (tell) => large(opened, bench, tell),
    };
    const pairs = Object.entries(works).map(([name, work]) => [name, { limit, ours: side(name, work) }]);
    return pairsByName(Object.fromEntries(pairs));
  },
};
