/** Scans for messages that match a narrow, in bounded steps. A narrow whose matches are too rare is refused. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, runSnapshot, together } from '../../../kernel/mysql/read-packet';
import { badRequest } from '../../model/faults';
import {
  isVisible,
  matches,
  needsMarks,
  soughtFacts,
  soughtWords,
  type Narrow,
} from '../../model/reading/narrow-condition';
import type { Driver } from '../../model/reading/narrow-drivers';
import type { MessageRef, ReadState } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import { factsAmong, type Detailed } from '../../store/reading/message-details';
import { marksRead, stateRead } from '../../store/reading/read-state';
import { hasPhrases, wordsAmong } from '../../store/reading/search';
import { stepRead, type Step, type MessageRange } from './scan-step';

/** The reader, the narrow, and the state of the scan. */
export interface Scope {
  readonly db: Database;
  readonly by: User;
  readonly narrow: Narrow;
  readonly state: ReadState;
  /** The conversations that the state covers; undefined for all. */
  readonly places: readonly number[] | undefined;
  readonly drivers: readonly Driver[];
  /** The organisation's newest message. */
  readonly head: number;
  /** The search table is filled up to this id. */
  readonly indexedId: number;
  /** When to give up, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/** Long enough for any sensible narrow. No request may use the database for longer. */
const MAX_MS = 3000;
const FIRST_STEP = 100;
const MAX_STEP = 8000;
/** For selective narrows, a step reads this many times more messages than are wanted. */
const SPARE = 10;
const GROWTH = 8;

export const scanDeadline = (): number => performance.now() + MAX_MS;

const tooBroad = () =>
  badRequest('This narrow took too long: name a stream, a topic, a sender or rarer words to look for');

export async function scanMessages(scope: Scope, range: MessageRange): Promise<MessageRef[]> {
  return (await scanRanges(scope, [range])).flat();
}

/** All ranges advance together: one round trip is one step of each unfinished range. */
export async function scanRanges(scope: Scope, ranges: readonly MessageRange[]): Promise<MessageRef[][]> {
  const scans = ranges.map((range) => openScan(scope, range));
  for (;;) {
    const open = scans.filter((scan) => !scan.isOver());
    if (open.length === 0) return scans.map((scan) => scan.found());
    const requested = open.map((scan) => scan.next());
    const { steps, state } = await readSteps(scope, requested);
    for (const [index, scan] of open.entries()) await scan.take(steps[index]!, state);
  }
}

type NextStep = Parameters<typeof stepRead>[1];

/** Cursors and their exceptions decide what is unread, so both must come from the same snapshot. */
async function readSteps(
  scope: Scope,
  requested: readonly NextStep[],
): Promise<{ steps: readonly Step[]; state: ReadState }> {
  const steps = together(requested.map((each) => stepRead(scope, each)));
  if (!decidesUnread(scope.narrow)) return { steps: await runRead(scope.db, steps), state: scope.state };
  return runSnapshot(scope.db, together({ steps, state: stateRead(scope.by.id, scope.places) }));
}

const decidesUnread = ({ tests }: Narrow): boolean => tests.some(({ condition }) => condition.kind === 'unread');

interface Scan {
  isOver(): boolean;
  found(): MessageRef[];
  next(): NextStep;
  take(step: Step, state: ReadState): Promise<void>;
}

function openScan(scope: Scope, range: MessageRange): Scan {
  const { want, direction } = range;
  const found: MessageRef[] = [];
  let { start } = range;
  let drivers = scope.drivers;
  let step = isSelective(scope.narrow) ? Math.max(want, Math.min(want * SPARE, FIRST_STEP)) : want;
  let density: number | undefined;
  let isOver = want === 0;
  return {
    isOver: () => isOver,
    found: () => found.slice(0, want),
    next: () => ({ drivers, range: { direction, start, want: step }, density }),
    async take({ walked, driver, density: seen }, state) {
      density = seen;
      const accepted = await meeting({ ...scope, state }, walked.refs, walked.details);
      found.push(...accepted);
      isOver = found.length >= want || walked.isEnd || walked.last === undefined;
      if (isOver) return;
      if (performance.now() > scope.deadline) throw tooBroad();
      start = walked.last! + (direction === 'up' ? 1 : -1);
      drivers = [driver];
      step = nextStep(step, { want, missing: want - found.length, share: accepted.length / walked.refs.length });
    },
  };
}

/** Estimates the next step's length from the share of matches in the last one. */
function nextStep(step: number, { want, missing, share }: { want: number; missing: number; share: number }): number {
  const expected = share > 0 ? Math.ceil((missing / share) * 1.25) : step * GROWTH;
  const shortest = Math.max(step, Math.min(step * 2, FIRST_STEP));
  return Math.min(Math.max(expected, shortest), Math.max(MAX_STEP, want));
}

/** Whether a step may read messages that do not match. */
const isSelective = ({ tests }: Narrow): boolean => tests.length > 1 || tests.some(({ negated }) => negated);

/** Filters a step's messages to those that the user may see and that match the narrow. */
async function meeting(
  { db, by, narrow, state }: Scope,
  refs: readonly MessageRef[],
  details: Detailed,
): Promise<MessageRef[]> {
  const met = refs.filter((ref) => isVisible(state, narrow, ref) && matches(narrow, ref, { state, ...details }));
  if (narrow.phrases.length === 0 || met.length === 0) return met;
  const ids = met.map(({ id }) => id);
  const whole = await hasPhrases(db, by.realmId, narrow.phrases, ids);
  return met.filter(({ id }) => whole.has(id));
}

/** Filters any messages to those that the user may see and that match the narrow. */
export async function accept(scope: Scope, refs: readonly MessageRef[]): Promise<MessageRef[]> {
  const { db, by, narrow } = scope;
  const words = soughtWords(narrow);
  const ids = refs.map(({ id }) => id);
  const marks = await runRead(db, marksRead(by.id, needsMarks(narrow) ? refs : []));
  const facts = await factsAmong(db, by.realmId, soughtFacts(narrow), ids);
  return meeting(scope, refs, { marks, facts, words: await wordsAmong(db, by.realmId, words, ids) });
}
