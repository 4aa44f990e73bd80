/** Walks towards messages that meet a narrow, in bounded steps, and gives up in plain words where they are too rare. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, runSnapshot, together } from '../../../kernel/mysql/read-packet';
import { badRequest } from '../../model/faults';
import { isVisible, matches, needsMarks, soughtWords, type Narrow } from '../../model/reading/narrow-condition';
import type { Driver } from '../../model/reading/narrow-drivers';
import type { MessageRef, ReadState } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import type { Detailed } from '../../store/reading/message-details';
import { marksRead, stateRead } from '../../store/reading/read-state';
import { hasPhrases, wordsAmong } from '../../store/reading/search';
import { stepRead, type Step, type MessageRange } from './scan-step';

/** Everything about who looks, and for what. */
export interface Scope {
  readonly db: Database;
  readonly by: User;
  readonly narrow: Narrow;
  readonly state: ReadState;
  /** Where the state is known; undefined for all places. */
  readonly places: readonly number[] | undefined;
  readonly drivers: readonly Driver[];
  /** The newest message of the organisation. */
  readonly head: number;
  /** Up to where the search table is filled. */
  readonly indexedId: number;
  /** When to give up, in milliseconds of the process. */
  readonly deadline: number;
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

export async function scanMessages(scope: Scope, range: MessageRange): Promise<MessageRef[]> {
  return (await scanRanges(scope, [range])).flat();
}

/** All ranges take their steps together: a round trip is one step of each that is not at its end. */
export async function scanRanges(scope: Scope, ranges: readonly MessageRange[]): Promise<MessageRef[][]> {
  const scans = ranges.map((range) => openScan(scope, range));
  for (;;) {
    const open = scans.filter((scan) => !scan.isOver());
    if (open.length === 0) return scans.map((scan) => scan.found());
    const { steps, state } = await readSteps(
      scope,
      open.map((scan) => scan.next()),
    );
    for (const [index, scan] of open.entries()) await scan.take(steps[index]!, state);
  }
}

type NextStep = Parameters<typeof stepRead>[1];

/** What is unread is decided by cursors and exceptions to them: those have to be of one moment. */
async function readSteps(
  scope: Scope,
  asked: readonly NextStep[],
): Promise<{ steps: readonly Step[]; state: ReadState }> {
  const steps = together(asked.map((each) => stepRead(scope, each)));
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

/** As long as what is missing should take, judging by the share that was found in the last one. */
function nextStep(step: number, { want, missing, share }: { want: number; missing: number; share: number }): number {
  const expected = share > 0 ? Math.ceil((missing / share) * 1.25) : step * GROWTH;
  const shortest = Math.max(step, Math.min(step * 2, FIRST_STEP));
  return Math.min(Math.max(expected, shortest), Math.max(LARGEST_STEP, want));
}

/** Whether not everything that is walked over is found. */
const isSelective = ({ tests }: Narrow): boolean => tests.length > 1 || tests.some(({ negated }) => negated);

/** Those of a step that the user may see and that the narrow is about. */
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

/** Those of any messages that the user may see and that the narrow is about. */
export async function accept(scope: Scope, refs: readonly MessageRef[]): Promise<MessageRef[]> {
  const { db, by, narrow } = scope;
  const words = soughtWords(narrow);
  const ids = refs.map(({ id }) => id);
  const marks = await runRead(db, marksRead(by.id, needsMarks(narrow) ? refs : []));
  return meeting(scope, refs, { marks, words: await wordsAmong(db, by.realmId, words, ids) });
}
