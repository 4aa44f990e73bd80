/** Runs one benchmark: limit, ours, limit, ours, …, with the CPU time of every process that takes part. */
import type { Benchmark, Side } from './benchmark';
import { endChildren } from './children';
import { machineCpu } from './cpu';
import type { Bench } from './stage';

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

export async function runBenchmark(benchmark: Benchmark, bench: Bench, repeat: number): Promise<Repeat[]> {
  const { measureMs, warmMs, idleMs } = bench.pace;
  try {
    const { limit, ours } = await benchmark.open(bench);
    if (!benchmark.idle) {
      await limit.run(warmMs);
      await ours.run(warmMs);
    }
    const repeats: Repeat[] = [];
    while (repeats.length < repeat) {
      if (benchmark.idle) {
        const [limitSample, oursSample] = await Promise.all([sample(limit, idleMs), sample(ours, idleMs)]);
        repeats.push({ limit: limitSample, ours: oursSample });
      } else {
        repeats.push({ limit: await sample(limit, measureMs), ours: await sample(ours, measureMs) });
      }
    }
    return repeats;
  } finally {
    await endChildren();
  }
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
