/** A sweep: the same work with a growing parameter. Without a limit to compare with, the growth is what counts. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Side } from './benchmark';
import { endChildren } from './children';
import { describeMachine, type Machine } from './machine';
import { sample, type Sample } from './run';
import type { Stage, Bench } from './stage';
import { median } from './statistics';

export interface Sweep {
  readonly name: string;
  readonly about: string;
  /** The parameter that grows, in words. */
  readonly across: string;
  /** The unit that CPU times are divided by. */
  readonly unit: string;
  readonly points: readonly number[];
  /** Points for a smoke test. */
  readonly quickPoints: readonly number[];
  /** Starts what is measured at this point. Everything is ended afterwards. */
  open(bench: Bench, point: number): Promise<Side>;
}

export interface SweepPoint {
  readonly at: number;
  /** Medians of the repeats; `cpu <process>` in microseconds per unit. */
  readonly figures: Readonly<Record<string, number>>;
  readonly repeats: number;
  /** The processes that used a whole core each, or the machine, if all cores were used; absent in older results. */
  readonly saturated?: readonly string[];
  /** Share of the machine that unrelated processes used meanwhile. */
  readonly elsewhere: number;
  readonly machine: Machine;
}

export interface SweepResult {
  readonly name: string;
  readonly about: string;
  readonly across: string;
  readonly unit: string;
  readonly points: readonly SweepPoint[];
}

export interface SweepWish {
  readonly quick: boolean;
  readonly repeat: number;
  readonly points: readonly number[];
  readonly directory: string;
}

/** A third of the usual warm-up, because the code is the same at every point and there are many. */
const WARM_SHARE = 1 / 3;

/** Each point is stored as soon as it is measured, so an interrupted sweep keeps its points. */
export async function runSweep(sweep: Sweep, stage: Stage, wish: SweepWish): Promise<void> {
  const all = wish.quick ? sweep.quickPoints : sweep.points;
  for (const at of wish.points.length > 0 ? wish.points : all) {
    stage.signal.throwIfAborted();
    const machine = describeMachine(stage.versions);
    const began = Date.now();
    try {
      const side = await sweep.open(stage, at);
      await side.run(stage.pace.warmMs * WARM_SHARE);
      const samples: Sample[] = [];
      while (samples.length < wish.repeat) samples.push(await sample(side, stage.pace.measureMs));
      const found = summary(samples);
      const saturated = saturatedIn(found.figures);
      keepPoint(wish.directory, sweep, { at, ...found, repeats: samples.length, saturated, machine });
      const took = Math.round((Date.now() - began) / 1000);
      console.log(
        `${sweep.name} ${at}, ${took} s: ${lineOf(found.figures)}; saturated: ${saturated.join(', ') || '–'}`,
      );
    } finally {
      await endChildren();
    }
  }
}

function summary(samples: readonly Sample[]): Pick<SweepPoint, 'figures' | 'elsewhere'> {
  const names = Object.keys(samples[0]?.figures ?? {}).filter((name) => !name.startsWith('share '));
  const figures = names.map((name) => [name, digits(median(samples.map((each) => each.figures[name] ?? 0)))]);
  return { figures: Object.fromEntries(figures), elsewhere: digits(median(samples.map((each) => each.elsewhere))) };
}

/** More than this share of a core leaves no room. */
const FULL = 90;

export function saturatedIn(figures: SweepPoint['figures']): string[] {
  return Object.entries(figures).flatMap(([name, value]) =>
    name.startsWith('busy ') && value >= FULL ? [name.slice('busy '.length)] : [],
  );
}

const digits = (value: number): number => Number(value.toPrecision(5));

const lineOf = (figures: SweepPoint['figures']): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

export function readSweep(directory: string, name: string): SweepResult | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as SweepResult;
  } catch {
    return undefined;
  }
}

/** Adds the point to the stored ones, replacing an older one at the same place. */
export function keepPoint(directory: string, sweep: Omit<SweepResult, 'points'>, point: SweepPoint): void {
  const { name, about, across, unit } = sweep;
  const known = readSweep(directory, name)?.points ?? [];
  const points = [...known.filter(({ at }) => at !== point.at), point].sort((a, b) => a.at - b.at);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${name}.json`);
  writeFileSync(`${file}.new`, `${JSON.stringify({ name, about, across, unit, points }, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
