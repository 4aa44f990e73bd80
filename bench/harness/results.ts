/** The result of a benchmark: the figures of all repeats, stored as one JSON file each. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, Figure, Target } from './benchmark';
import type { Machine } from './machine';
import type { ProcessCost, Repeat, Sample, Taken } from './run';
import { median, ratios, spread, type Spread } from './statistics';

export interface FigureResult {
  readonly name: string;
  readonly unit: Figure['unit'];
  /** Medians of the repeats; null if that side has no such figure. */
  readonly ours: number | null;
  readonly limit: number | null;
  readonly ratio: Spread | null;
  readonly target: Target | null;
  /** Whether the target was met; null if there is none. */
  readonly met: boolean | null;
}

export interface Result {
  readonly name: string;
  readonly about: string;
  readonly limit: string;
  readonly unit: string;
  readonly machine: Machine;
  readonly figures: readonly FigureResult[];
  readonly cpu: { readonly ours: readonly ProcessCost[]; readonly limit: readonly ProcessCost[] };
  /** Median share of the machine that unrelated processes used meanwhile. */
  readonly elsewhere: number;
  readonly retaken: number;
  readonly repeats: readonly Repeat[];
}

export function resultOf(benchmark: Benchmark, machine: Machine, { repeats, retaken }: Taken): Result {
  const { name, about, limit, unit, figures } = benchmark;
  const sides = { ours: repeats.map((repeat) => repeat.ours), limit: repeats.map((repeat) => repeat.limit) };
  return {
    name,
    about,
    limit,
    unit,
    machine,
    figures: figures.map((figure) => figureResult(figure, sides)),
    cpu: { ours: costs(sides.ours), limit: costs(sides.limit) },
    elsewhere: median([...sides.ours, ...sides.limit].map((sample) => sample.elsewhere)),
    retaken,
    repeats,
  };
}

function figureResult(figure: Figure, sides: { ours: readonly Sample[]; limit: readonly Sample[] }): FigureResult {
  const [ours, limit] = [valuesOf(figure, sides.ours), valuesOf(figure, sides.limit)];
  const own = ours.length > 0 ? median(ours) : null;
  const ratio = ratioOf(ours, limit);
  const { name, unit, target = null } = figure;
  const bound = limit.length > 0 ? median(limit) : null;
  const excess = own === null || bound === null ? null : own - bound;
  const compared = { ratio: ratio?.median ?? null, ours: own, excess }[target?.of ?? 'ours'];
  return {
    name,
    unit,
    ours: own,
    limit: bound,
    ratio,
    target,
    met: target === null || compared === null ? null : meets(target, compared),
  };
}

function valuesOf({ from, scale = 1 }: Figure, samples: readonly Sample[]): number[] {
  return samples.flatMap(({ figures }) => (figures[from] === undefined ? [] : [figures[from] * scale]));
}

/** Null if a side lacks the figure, or if a limit was too small to measure. */
function ratioOf(ours: readonly number[], limit: readonly number[]): Spread | null {
  const paired = ours.length === limit.length ? ratios(ours, limit) : [];
  return paired.length > 0 && paired.length === ours.length ? spread(paired) : null;
}

function meets(target: Target, value: number): boolean {
  return target.is === 'at least' ? value >= target.value : value <= target.value;
}

function costs(samples: readonly Sample[]): ProcessCost[] {
  return (samples[0]?.cpu ?? []).map(({ name, pid }, index) => ({
    name,
    pid,
    microsecondsPerUnit: median(samples.map(({ cpu }) => cpu[index]!.microsecondsPerUnit)),
  }));
}

export function writeResult(directory: string, result: Result): void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${result.name}.json`);
  writeFileSync(`${path}.tmp`, `${JSON.stringify(result, roundedNumbers, 2)}\n`);
  renameSync(`${path}.tmp`, path);
}

/** Five digits are more than can be trusted; more would only be noise in a diff. */
function roundedNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

export function readResults(directory: string): Result[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Result);
}
