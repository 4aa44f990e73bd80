/**
 * Checks that a pattern matches in linear time in a backtracking engine, as clients have. Such an engine tries one path
 * after the other, so the number of paths alive at any character must be small.
 */
import type { CharacterRange } from './pattern';
import type { Program, Step } from './program';

/** How many paths may accept the same character. Reasonable patterns have one or two. */
const MAX_WAYS = 16;
/** A pattern with more reachable states than this is refused. */
const MAX_SITUATIONS = 3000;
/** Paths without a character in between: an alternation of words has one per word. */
const MAX_PATHS = 500;

/** The number of paths waiting at each set, by its step. */
type Situation = ReadonlyMap<number, number>;

/** Explores every state that any text can lead to. */
export function hasFewWays({ steps }: Program): boolean {
  const after = new Map<number, Situation>();
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'set') continue;
    const next = waitingFrom(steps, at + 1);
    if (!next) return false;
    after.set(at, next);
  }
  const first = waitingFrom(steps, 0);
  if (!first) return false;
  const alphabet = kindsOfCharacters(steps);
  const seen = new Set<string>([keyOf(first)]);
  return look(first, { alphabet, after, seen });
}

interface Looking {
  /** For each class of characters, the sets that contain it. */
  readonly alphabet: readonly ReadonlySet<number>[];
  readonly after: ReadonlyMap<number, Situation>;
  readonly seen: Set<string>;
}

function look(first: Situation, { alphabet, after, seen }: Looking): boolean {
  const waiting = [first];
  for (let situation = waiting.pop(); situation; situation = waiting.pop()) {
    for (const holders of alphabet) {
      const next = stepBy(situation, holders, after);
      if (!next) return false;
      const key = keyOf(next);
      if (next.size === 0 || seen.has(key)) continue;
      if (seen.size >= MAX_SITUATIONS) return false;
      seen.add(key);
      waiting.push(next);
    }
  }
  return true;
}

/** The state after a character of these sets; undefined if too many paths accept it. */
function stepBy(
  situation: Situation,
  holders: ReadonlySet<number>,
  after: ReadonlyMap<number, Situation>,
): Situation | undefined {
  const next = new Map<number, number>();
  let agreed = 0;
  for (const [at, count] of situation) {
    if (!holders.has(at)) continue;
    agreed += count;
    if (agreed > MAX_WAYS) return undefined;
    for (const [to, paths] of after.get(at)!) next.set(to, (next.get(to) ?? 0) + count * paths);
  }
  return next;
}

/** The sets reachable from a step before the next character, with the number of paths to each. */
function waitingFrom(steps: readonly Step[], from: number): Situation | undefined {
  const reached = new Map<number, number>();
  const waiting = [from];
  let paths = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const step = steps[at]!;
    if (step.kind === 'fork') waiting.push(step.first, step.second);
    else if (step.kind === 'jump') waiting.push(step.to);
    else if (step.kind === 'save' || step.kind === 'assert') waiting.push(at + 1);
    else {
      paths += 1;
      if (step.kind === 'set') reached.set(at, (reached.get(at) ?? 0) + 1);
    }
    if (paths > MAX_PATHS || waiting.length > MAX_PATHS) return undefined;
  }
  return reached;
}

/** Characters that belong to the same sets form one class. */
function kindsOfCharacters(steps: readonly Step[]): ReadonlySet<number>[] {
  const sets = [...steps.entries()].flatMap(([at, step]) =>
    step.kind === 'set' ? [{ at, ranges: withSurrogates(step.ranges) }] : [],
  );
  const edges = new Set(sets.flatMap(({ ranges }) => ranges.flatMap(({ from, to }) => [from, to + 1])));
  const kinds = new Map<string, ReadonlySet<number>>();
  for (const code of edges) {
    const holders = sets.filter(({ ranges }) => ranges.some(({ from, to }) => code >= from && code <= to));
    const numbers = holders.map(({ at }) => at);
    if (numbers.length > 0) kinds.set(numbers.join(' '), new Set(numbers));
  }
  return [...kinds.values()];
}

const SURROGATES: CharacterRange = { from: 0xd800, to: 0xdfff };

/** Browsers treat characters beyond U+FFFF as two surrogates, and a set of them as a set of surrogates. */
const withSurrogates = (ranges: readonly CharacterRange[]): readonly CharacterRange[] =>
  ranges.some(({ to }) => to > 0xffff) ? [...ranges, SURROGATES] : ranges;

const keyOf = (situation: Situation): string =>
  [...situation]
    .sort(([one], [other]) => one - other)
    .map((entry) => entry.join(':'))
    .join(' ');
