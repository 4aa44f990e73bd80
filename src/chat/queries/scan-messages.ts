/** Walks towards messages that meet a narrow, in bounded steps, and gives up in plain words where they are too rare. */
import type { Database } from '../../kernel/mysql/pool';
import { badRequest } from '../model/faults';
import { isVisible, matches, needsMarks, type Narrow } from '../model/narrow-condition';
import type { Driver } from '../model/narrow-drivers';
import type { Glance, Marks, ReadState } from '../model/read-state';
import type { User } from '../model/user';
import { walk, window, type Direction, type Walked } from '../store/narrowed-messages';
import { marksOf } from '../store/read-state';
import { hasPhrases, wordsAmong } from '../store/search';

/** Everything about who looks, and for what. */
export interface Scope {
  readonly db: Database;
  readonly by: User;
  readonly narrow: Narrow;
  readonly state: ReadState;
  readonly drivers: readonly Driver[];
  /** The newest message of the organisation. */
  readonly head: number;
  /** Up to where the search table is filled. */
  readonly indexedId: number;
  /** When to give up, in milliseconds of the process. */
  readonly deadline: number;
}

export interface Stretch {
  readonly direction: Direction;
  /** Where to begin, itself included. */
  readonly start: number;
  readonly want: number;
}

/** Long enough for any narrow that leads somewhere; no request may keep the database busy for longer. */
const MOST_MS = 3000;
const FIRST_STEP = 100;
const LARGEST_STEP = 8000;
/** So many times more than is wanted are looked at where not all will do. */
const SPARE = 10;
const GROWTH = 8;

export const scanDeadline = (): number => performance.now() + MOST_MS;

const tooBroad = () =>
  badRequest('This narrow took too long: name a stream, a topic, a sender or rarer words to look for');

export async function scanMessages(scope: Scope, stretch: Stretch): Promise<Glance[]> {
  const { want, direction } = stretch;
  const found: Glance[] = [];
  let { start } = stretch;
  let drivers = scope.drivers;
  let step = isSelective(scope.narrow) ? Math.max(want, Math.min(want * SPARE, FIRST_STEP)) : want;
  let density: number | undefined;
  while (want > 0) {
    const { walked, driver, density: seen } = await stepOn(scope, drivers, { direction, start, want: step }, density);
    density = seen;
    const accepted = await accept(scope, walked.glances);
    found.push(...accepted);
    if (found.length >= want || walked.isEnd || walked.last === undefined) break;
    if (performance.now() > scope.deadline) throw tooBroad();
    start = walked.last + (direction === 'up' ? 1 : -1);
    drivers = [driver];
    step = nextStep(step, { want, missing: want - found.length, share: accepted.length / walked.glances.length });
  }
  return found.slice(0, want);
}

/** As long as what is missing should take, judging by the share that was found in the last one. */
function nextStep(step: number, { want, missing, share }: { want: number; missing: number; share: number }): number {
  const expected = share > 0 ? Math.ceil((missing / share) * 1.25) : step * GROWTH;
  const shortest = Math.max(step, Math.min(step * 2, FIRST_STEP));
  return Math.min(Math.max(expected, shortest), Math.max(LARGEST_STEP, want));
}

/** Whether not everything that is walked over is found. */
const isSelective = ({ tests }: Narrow): boolean => tests.length > 1 || tests.some(({ negated }) => negated);

interface Step {
  readonly walked: Walked;
  readonly driver: Driver;
  /** Messages that count, per id of the organisation, where everything was walked. */
  readonly density: number | undefined;
}

/** One step of each driver; the one that came furthest with it passes over the least. */
async function stepOn(
  scope: Scope,
  drivers: readonly Driver[],
  stretch: Stretch,
  density: number | undefined,
): Promise<Step> {
  let best: Step | undefined;
  for (const driver of drivers) {
    const step =
      stretch.direction === 'down' && isWorthAWindow(driver, density)
        ? await stepThroughWindow(scope, driver, stretch)
        : { walked: await stepThroughSeeks(scope, driver, stretch), driver, density };
    if (!best || isFurther(step.walked, best.walked, stretch.direction)) best = step;
  }
  return best!;
}

function isFurther(one: Walked, other: Walked, direction: Direction): boolean {
  if (one.isEnd || other.isEnd) return one.isEnd && !other.isEnd;
  return direction === 'up' ? one.last! > other.last! : one.last! < other.last!;
}

/** Merging many runs reads some of each; a window reads what lies between. Upwards there is too much of that. */
function isWorthAWindow({ seeks, windows }: Driver, density: number | undefined): boolean {
  if (windows === 'never') return false;
  return density === undefined || (windows === 'while-dense' && density * seeks.length >= 1);
}

function stepThroughSeeks({ db, by }: Scope, { seeks }: Driver, stretch: Stretch): Promise<Walked> {
  return walk(db, seeks, { realmId: by.realmId, userId: by.id, ...stretch, limit: stretch.want });
}

/** A window is so many times longer than what is wanted of it. */
const WINDOW = 4;

async function stepThroughWindow({ db, by, head }: Scope, driver: Driver, stretch: Stretch): Promise<Step> {
  const length = stretch.want * WINDOW;
  const to = Math.min(stretch.start, head);
  const from = Math.max(1, to - length + 1);
  const glances = from > to ? [] : await window(db, by.realmId, driver.recipientIds, { from, to });
  const walked = { glances: glances.reverse(), last: from, isEnd: from === 1 };
  return { walked, driver, density: glances.length / length };
}

const NO_MARKS: Marks = { isRead: new Map(), flags: new Map(), topicReadIds: new Map() };

/** Those of a step that the user may see and that the narrow is about. */
export async function accept({ db, by, narrow, state }: Scope, glances: readonly Glance[]): Promise<Glance[]> {
  const visible = glances.filter((glance) => isVisible(state, narrow, glance));
  if (narrow.tests.length === 0 || visible.length === 0) return visible;
  const sought = narrow.tests.flatMap(({ condition }) => (condition.kind === 'word' ? [condition.word] : []));
  const ids = visible.map(({ id }) => id);
  const knowledge = {
    state,
    marks: needsMarks(narrow) ? await marksOf(db, by.id, visible) : NO_MARKS,
    words: sought.length > 0 ? await wordsAmong(db, by.realmId, sought, ids) : new Map<number, Set<string>>(),
  };
  const met = visible.filter((glance) => matches(narrow, glance, knowledge));
  if (narrow.phrases.length === 0 || met.length === 0) return met;
  const whole = await hasPhrases(
    db,
    by.realmId,
    narrow.phrases,
    met.map(({ id }) => id),
  );
  return met.filter(({ id }) => whole.has(id));
}
