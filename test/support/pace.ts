/**
 * How slow this machine is now, with all that runs on it: 1 on one that keeps up, 4 at most.
 *
 * Tests of deadlines need short ones, and success within a short deadline needs a machine that keeps up. Such tests
 * multiply their times by this, so that a slow machine takes longer and finds the same.
 */
import type { Environment } from './cluster';
import { IS_TIMED } from './promised';

/** What the work below takes at most where tests keep up with their deadlines. */
const USUAL_MS = 100;
const MOST = 4;

/** Objects, strings and a map, as our code has them: it is memory that slow machines are slow at. */
function work(): number {
  const notes = new Map<string, { at: number; text: string }>();
  for (let at = 0; at < 300_000; at += 1) notes.set(`note ${at % 5000}`, { at, text: `text ${at}` });
  return JSON.stringify([...notes]).length;
}

/** Where promises about times are tested, they are those of production. */
function measurePace(): number {
  if (IS_TIMED) return 1;
  const start = performance.now();
  work();
  return Math.min(Math.max((performance.now() - start) / USUAL_MS, 1), MOST);
}

/** As many milliseconds as this machine takes for what others do in so many. */
export type AtPace = (milliseconds: number) => number;

/** Measured when it is asked for: the machine may have been idle when the file was loaded. */
export function currentPace(): AtPace {
  const pace = measurePace();
  return (milliseconds) => Math.round(milliseconds * pace);
}

/** The same settings, with the times among them at the pace of this machine. */
export function timesAt(atPace: AtPace, settings: Environment): Environment {
  const scaled = Object.entries(settings).map(([name, value]) => [
    name,
    name.endsWith('_MS') ? String(atPace(Number(value))) : value,
  ]);
  return Object.fromEntries(scaled);
}
