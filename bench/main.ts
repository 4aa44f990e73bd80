/** `npm run bench`: runs the benchmarks, each beside its limit, prints a table and stores the results. */
import { join } from 'node:path';
import { apart, suites } from './benchmarks/all';
import { sweeps } from './growth/all';
import { drawSweeps } from './growth/draw';
import { readArguments, USAGE, type Wanted } from './harness/arguments';
import { endChildren } from './harness/children';
import { describeMachine } from './harness/machine';
import { provenance } from './harness/provenance';
import { readResults, resultOf, writeResult, type Result } from './harness/results';
import { runSuite } from './harness/run';
import { runSweep } from './harness/sweep';
import { openStage, type Pace, type Stage } from './harness/stage';
import { markdownTable, textTable } from './harness/table';
import { storedCosts } from './simulation/costs';
import { costTable, simulatedTable } from './simulation/tables';

/** In the sources, because the results are part of them. This file runs as dist/bench/main.js. */
const RESULTS = join(__dirname, '../../bench/results');
const GROWTH = join(RESULTS, 'growth');
const PICTURES = join(__dirname, '../../docs/pictures');
const WHOLE: Pace = { measureMs: 1500, warmMs: 15_000, againMs: 2000, idleMs: 10_000 };
const QUICK: Pace = { measureMs: 500, warmMs: 1000, againMs: 200, idleMs: 2000 };
const PATIENCE_MS = 600_000;
const GIVE_UP_MS = 10_000;
const INTERRUPTED = 130;

function required(name: 'BENCH_REDIS_URL' | 'BENCH_DATABASE_URL'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is unset: use "npm run bench", which starts the servers`);
  return value;
}

const benchmarks = suites.flatMap((suite) => suite.benchmarks);
/** Not part of a full run: peers, and sweeps that take longer than everything else together. */
const others = [...apart.flatMap((suite) => suite.benchmarks), ...sweeps];

/** Returns how many of the selected benchmarks have no result. */
async function runAll(stage: Stage, wanted: Wanted): Promise<number> {
  const results: Result[] = [];
  const wish = { ...wanted, patienceMs: wanted.patient ? PATIENCE_MS : 0 };
  for (const suite of [...suites, ...apart].filter((each) =>
    each.benchmarks.some(({ name }) => wanted.names.includes(name)),
  )) {
    if (stage.signal.aborted) break;
    const machine = describeMachine(stage.versions);
    try {
      await runSuite(suite, stage, wish, (benchmark, taken) => {
        const result = resultOf(benchmark, machine, taken);
        writeResult(wanted.quick ? join(RESULTS, 'quick') : RESULTS, result);
        results.push(result);
        console.log(`measured ${benchmark.name}: ${benchmark.about}; limit: ${benchmark.limit}`);
      });
    } catch (error) {
      if (!stage.signal.aborted) console.error(error);
    }
  }
  const swept = await runSweeps(stage, wanted);
  if (results.length > 0) console.log(`\n${textTable(results)}`);
  return wanted.names.length - results.length - swept;
}

/** Returns how many of the selected sweeps are complete. */
async function runSweeps(stage: Stage, wanted: Wanted): Promise<number> {
  let whole = 0;
  for (const sweep of sweeps.filter(({ name }) => wanted.names.includes(name))) {
    if (stage.signal.aborted) break;
    try {
      await runSweep(sweep, stage, { ...wanted, directory: wanted.quick ? join(RESULTS, 'quick') : GROWTH });
      if (!wanted.quick) drawSweeps([sweep.name], GROWTH, PICTURES);
      whole += 1;
    } catch (error) {
      if (!stage.signal.aborted) console.error(error);
    }
  }
  return whole;
}

/** The first signal ends the children, so the waiting benchmark fails and everything unwinds. */
function endOnSignals(): AbortSignal {
  const ending = new AbortController();
  const stop = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.exit(INTERRUPTED), GIVE_UP_MS).unref();
    void endChildren();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return ending.signal;
}

async function run(wanted: Wanted, signal: AbortSignal): Promise<number> {
  const began = Date.now();
  const stage = await openStage({
    redisUrl: required('BENCH_REDIS_URL'),
    databaseUrl: required('BENCH_DATABASE_URL'),
    path: process.env['PATH'] ?? '',
    pace: wanted.quick ? QUICK : WHOLE,
    signal,
  });
  try {
    const failed = await runAll(stage, wanted);
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`\n${wanted.names.length} benchmarks, ${failed} without a result, ${seconds} s`);
    return failed > 0 ? 1 : 0;
  } finally {
    await endChildren();
    await stage.close();
  }
}

/** Prints the tables of docs/PERFORMANCE.md and their provenance from the stored results. */
function printStored(names: readonly string[]): void {
  const stored = readResults(RESULTS).sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  console.log(`${provenance(stored)}\n\n${markdownTable(stored)}`);
}

async function main(signal: AbortSignal): Promise<number> {
  const names = benchmarks.map(({ name }) => name);
  const wanted = readArguments(
    process.argv.slice(2),
    names,
    others.map(({ name }) => name),
  );
  switch (wanted.show) {
    case 'help':
      console.log(USAGE);
      return 0;
    case 'list':
      for (const { name, about } of [...benchmarks, ...others]) console.log(`${name.padEnd(16)} ${about}`);
      return 0;
    case 'markdown':
      printStored([...names, ...others.map(({ name }) => name)]);
      return 0;
    case 'draw':
      for (const file of drawSweeps(
        sweeps.map(({ name }) => name),
        GROWTH,
        PICTURES,
      ))
        console.log(file);
      return 0;
    case 'simulate':
      console.log(`${costTable(storedCosts(GROWTH))}\n\n${simulatedTable(storedCosts(GROWTH))}`);
      return 0;
    case 'run':
      return run(wanted, signal);
  }
}

const interrupted = endOnSignals();

main(interrupted).then(
  (code) => process.exit(interrupted.aborted ? INTERRUPTED : code),
  (error: Error) => {
    // An interrupted run fails only because it was interrupted.
    if (!interrupted.aborted) console.error(`bench: ${error.message}`);
    process.exit(interrupted.aborted ? INTERRUPTED : 1);
  },
);
