/** Runs benchmarks: limit, ours, limit, ours, …, with the CPU time of every process involved. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Benchmark, Pair, Side, Suite } from './benchmark';
import { endChildren } from './children';
import { machineCpu } from './cpu';
import type { Bench, Pace } from './stage';

export interface ProcessCost {
  readonly name: string;
  readonly pid: number;
  readonly microsecondsPerUnit: number;
}

export interface Sample {
  readonly units: number;
  /** `busy <process>` is the share of a core that each of these processes used, of the machine its share of all cores. */
  readonly figures: Readonly<Record<string, number>>;
  readonly cpu: readonly ProcessCost[];
  /** Share of the machine's CPU that unrelated processes used meanwhile: the noise. */
  readonly elsewhere: number;
}

export interface Repeat {
  readonly limit: Sample;
  readonly ours: Sample;
}

export interface Taken {
  readonly repeats: readonly Repeat[];
  /** How many repeats were discarded because of noise. */
  readonly retaken: number;
}

export interface Wish {
  readonly names: readonly string[];
  readonly repeat: number;
  /** How long to keep retaking noisy repeats, per benchmark. */
  readonly patienceMs: number;
}

/** With more noise than this, the figures are worth little. */
export const NOISE = 0.1;
const LOOK_MS = 500;
const MACHINE = 'machine';

/** Runs the selected benchmarks of a suite, and reports each as soon as it is done. */
export async function runSuite(
  suite: Suite,
  bench: Bench,
  wish: Wish,
  tell: (benchmark: Benchmark, taken: Taken) => void,
): Promise<void> {
  try {
    const pairOf = await suite.open(bench);
    let warmMs = bench.pace.warmMs;
    for (const benchmark of suite.benchmarks.filter(({ name }) => wish.names.includes(name))) {
      const pair = pairOf(benchmark.name);
      if (!benchmark.idle) {
        await pair.limit.run(warmMs);
        await pair.ours.run(warmMs);
      }
      // Most of the code is already warm from the first benchmark.
      warmMs = bench.pace.againMs;
      tell(benchmark, await takeRepeats(benchmark, pair, bench, wish));
    }
  } finally {
    await endChildren();
  }
}

async function takeRepeats(benchmark: Benchmark, pair: Pair, bench: Bench, wish: Wish): Promise<Taken> {
  const repeats: Repeat[] = [];
  const end = Date.now() + wish.patienceMs;
  let retaken = 0;
  while (repeats.length < wish.repeat) {
    while (Date.now() < end && (await isMachineBusy(bench.signal)));
    const repeat = await takePair(benchmark, pair, bench.pace);
    if (Date.now() < end && Math.max(repeat.limit.elsewhere, repeat.ours.elsewhere) > NOISE) retaken += 1;
    else repeats.push(repeat);
  }
  return { repeats, retaken };
}

async function isMachineBusy(signal: AbortSignal): Promise<boolean> {
  const before = machineCpu();
  await wait(LOOK_MS, undefined, { signal });
  const after = machineCpu();
  return (after.busy - before.busy) / Math.max(1, after.total - before.total) > NOISE;
}

async function takePair(benchmark: Benchmark, { limit, ours }: Pair, pace: Pace): Promise<Repeat> {
  if (benchmark.idle) {
    const [limitSample, oursSample] = await Promise.all([sample(limit, pace.idleMs), sample(ours, pace.idleMs)]);
    return { limit: limitSample, ours: oursSample };
  }
  return { limit: await sample(limit, pace.measureMs), ours: await sample(ours, pace.measureMs) };
}

export async function sample(side: Side, milliseconds: number): Promise<Sample> {
  const read = () => Promise.all(side.watched.map((watched) => watched.cpu()));
  const before = await read();
  const [machineBefore, selfBefore, began] = [machineCpu(), process.cpuUsage(), performance.now()];
  const { units, figures } = await side.run(milliseconds);
  const [machineAfter, self] = [machineCpu(), process.cpuUsage(selfBefore)];
  const microseconds = (performance.now() - began) * 1000;
  const used = (await read()).map((after, index) => after - before[index]!);
  const cpu = side.watched.map(({ name, pid }, index) => ({ name, pid, microsecondsPerUnit: used[index]! / units }));
  const known = used.reduce((total, each) => total + each, self.user + self.system);
  const busy = machineAfter.busy - machineBefore.busy;
  const total = Math.max(1, machineAfter.total - machineBefore.total);
  const busyOf = side.watched.map(({ name, processes = 1 }, index) => [
    `busy ${name}`,
    (used[index]! / microseconds / processes) * 100,
  ]);
  return {
    units,
    figures: {
      ...figures,
      ...Object.fromEntries(cpu.map(({ name, microsecondsPerUnit }) => [`cpu ${name}`, microsecondsPerUnit])),
      ...shares(cpu),
      ...Object.fromEntries(busyOf),
      [`busy ${MACHINE}`]: (busy / total) * 100,
    },
    cpu,
    elsewhere: Math.max(0, busy - known) / total,
  };
}

/** CPU time of the other processes relative to the server, in per cent. */
function shares(cpu: readonly ProcessCost[]): Record<string, number> {
  const server = cpu.find(({ name }) => name === 'server')?.microsecondsPerUnit ?? 0;
  if (server === 0) return {};
  return Object.fromEntries(
    cpu.map(({ name, microsecondsPerUnit }) => [`share ${name} of server`, (microsecondsPerUnit / server) * 100]),
  );
}
