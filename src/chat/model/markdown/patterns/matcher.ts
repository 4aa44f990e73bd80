/**
 * Matches a pattern in time linear in pattern and text: all paths through the pattern advance together, one character
 * at a time, and no state is visited twice. The earlier path wins, as in backtracking engines.
 */
import { isWordCharacter } from '../boundary';
import type { CharacterRange } from './pattern';
import type { Program } from './program';

/** The remaining cost for a message: one unit per path and character. */
export interface Budget {
  left: number;
}

/** Enough for dozens of reasonable patterns on the longest message, and far below 100 ms. */
export const openBudget = (): Budget => ({ left: 200_000 });

interface Match {
  readonly end: number;
  readonly groups: Readonly<Record<string, string>>;
}

/** One path through the pattern: its step, and where its groups began and ended. */
interface Way {
  readonly step: number;
  readonly slots: readonly number[];
}

export const mayStart = ({ first }: Program, text: string, start: number): boolean =>
  first === undefined || holds(first, text.codePointAt(start)!);

/** The match that begins exactly at `start` and is not followed by a word character. */
export function matchAt(program: Program, text: string, start: number, budget: Budget): Match | undefined {
  const { steps, seen } = program;
  let best: { end: number; slots: readonly number[] } | undefined;
  let ways: Way[] = [];
  nextRound(seen);
  follow({ step: 0, slots: NO_SLOTS }, ways, { program, text, at: start });
  for (let at = start; ways.length > 0;) {
    budget.left -= ways.length;
    if (budget.left < 0) return undefined;
    const code = text.codePointAt(at);
    const after = at + (code !== undefined && code > 0xffff ? 2 : 1);
    const next: Way[] = [];
    nextRound(seen);
    for (const { step: index, slots } of ways) {
      const step = steps[index]!;
      if (step.kind === 'end') {
        if (isWordCharacter(characterAt(text, at))) continue;
        best = { end: at, slots };
        break;
      }
      if (step.kind !== 'set' || code === undefined || !holds(step.ranges, code)) continue;
      follow({ step: index + 1, slots }, next, { program, text, at: after });
    }
    ways = next;
    at = after;
  }
  return best && { end: best.end, groups: groupsOf(program, text, best.slots) };
}

const NO_SLOTS: readonly number[] = [];

function nextRound(seen: Program['seen']): void {
  seen.round += 1;
  if (seen.round <= 0xffffffff) return;
  seen.marks.fill(0);
  seen.round = 1;
}

interface Surroundings {
  readonly program: Program;
  readonly text: string;
  readonly at: number;
}

/** Adds every step reachable without reading a character. */
function follow(first: Way, ways: Way[], { program, text, at }: Surroundings): void {
  const { steps, seen } = program;
  const waiting: Way[] = [first];
  for (let way = waiting.pop(); way; way = waiting.pop()) {
    if (seen.marks[way.step] === seen.round) continue;
    seen.marks[way.step] = seen.round;
    const step = steps[way.step]!;
    const { slots } = way;
    if (step.kind === 'jump') waiting.push({ step: step.to, slots });
    else if (step.kind === 'fork') waiting.push({ step: step.second, slots }, { step: step.first, slots });
    else if (step.kind === 'save') waiting.push({ step: way.step + 1, slots: withSlot(slots, step.slot, at) });
    else if (step.kind !== 'assert') ways.push(way);
    else if (isTrue(step.what, text, at)) waiting.push({ step: way.step + 1, slots });
  }
}

function withSlot(slots: readonly number[], slot: number, at: number): readonly number[] {
  const copy = slots.slice();
  copy[slot] = at;
  return copy;
}

function isTrue(what: 'start' | 'end' | 'boundary' | 'no-boundary', text: string, at: number): boolean {
  if (what === 'start') return at === 0;
  if (what === 'end') return at === text.length;
  const isBoundary = isWordCharacter(text[at - 1]) !== isWordCharacter(characterAt(text, at));
  return isBoundary === (what === 'boundary');
}

function characterAt(text: string, at: number): string | undefined {
  const code = text.codePointAt(at);
  return code === undefined ? undefined : String.fromCodePoint(code);
}

const holds = (ranges: readonly CharacterRange[], code: number): boolean =>
  ranges.some(({ from, to }) => code >= from && code <= to);

function groupsOf({ names }: Program, text: string, slots: readonly number[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name, index) => [name, text.slice(slots[index * 2] ?? 0, slots[index * 2 + 1] ?? 0)]),
  );
}
