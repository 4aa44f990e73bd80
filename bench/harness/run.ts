/** Runs benchmarks: limit, ours, limit, ours, …, with the CPU time of every process that takes part. */
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
  readonly figures: Readonly<Record<string, number>>;
  readonly cpu: readonly ProcessCost[];
  /** Share of the machine's CPU that processes of no part in this used meanwhile: the noise. */
  readonly elsewhere: number;
}

export interface Repeat {
  readonly limit: Sample;
  readonly ours: Sample;
}

/** Runs the benchmarks of a suite that are wanted, and tells of each as soon as it is done. */
export async function runSuite(
  suite: Suite,
  bench: Bench,
  wanted: { readonly names: readonly string[]; readonly repeat: number },
  tell: (benchmark: Benchmark, repeats: readonly Repeat[]) => void,
): Promise<void> {
  try {
    const pairOf = await suite.open(bench);
    let warmMs = bench.pace.warmMs;
    for (const benchmark of suite.benchmarks.filter(({ name }) => wanted.names.includes(name))) {
      const pair = pairOf(benchmark.name);
      if (!benchmark.idle) {
        await pair.limit.run(bench.pace.againMs);
        await pair.ours.run(warmMs);
      }
      // Most of the code that the first one has warmed is also the next one's.
      warmMs = bench.pace.againMs;
      tell(benchmark, await repeatPair(benchmark, pair, bench.pace, wanted.repeat));
    }
  } finally {
    await endChildren();
  }
}

async function repeatPair(benchmark: Benchmark, pair: Pair, pace: Pace, repeat: number): Promise<Repeat[]> {
  const { limit, ours } = pair;
  const repeats: Repeat[] = [];
  while (repeats.length < repeat) {
    if (benchmark.idle) {
      const [limitSample, oursSample] = await Promise.all([sample(limit, pace.idleMs), sample(ours, pace.idleMs)]);
      repeats.push({ limit: limitSample, ours: oursSample });
    } else {
      repeats.push({ limit: await sample(limit, pace.measureMs), ours: await sample(ours, pace.measureMs) });
    }
  }
  return repeats;
}

async function sample(side: Side, milliseconds: number): Promise<Sample> {
  const read = () => Promise.all(side.watched.map((watched) => watched.cpu()));
  const before = await read();
  const [machineBefore, selfBefore] = [machineCpu(), process.cpuUsage()];
  const { units, figures } = await side.run(milliseconds);
  const [machineAfter, self] = [machineCpu(), process.cpuUsage(selfBefore)];
  const used = (await read()).map((after, index) => after - before[index]!);
  const cpu = side.watched.map(({ name, pid }, index) => ({ name, pid, microsecondsPerUnit: used[index]! / units }));
  const known = used.reduce((total, each) => total + each, self.user + self.system);
  const busy = machineAfter.busy - machineBefore.busy;
  return {
    units,
    figures: {
      ...figures,
      ...Object.fromEntries(cpu.map(({ name, microsecondsPerUnit }) => [`cpu ${name}`, microsecondsPerUnit])),
    },
    cpu,
    elsewhere: Math.max(0, busy - known) / Math.max(1, machineAfter.total - machineBefore.total),
  };
}
