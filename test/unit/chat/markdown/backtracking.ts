/**
 * A backtracking engine, like those of clients, that counts its steps: it never lets a match end, so it tries every
 * path.
 */
import { complement, type CharacterRange, type Node } from '../../../../src/chat/model/markdown/patterns/pattern';

export interface Meter {
  steps: number;
}

/** More than any harmless pattern needs for the texts of these tests. */
export const MAX_STEPS = 300_000;

type Then = (at: number) => void;

/** The number of steps for trying all paths from the beginning of the text. */
export function stepsOf(node: Node, text: string): number {
  const meter: Meter = { steps: 0 };
  follow(node, { text: Array.from(text), meter }, 0, () => {});
  return meter.steps;
}

interface Run {
  readonly text: readonly string[];
  readonly meter: Meter;
}

// oxlint-disable-next-line max-params -- what, in which text, from where, and what follows
function follow(node: Node, run: Run, at: number, then: Then): void {
  if (run.meter.steps > MAX_STEPS) return;
  run.meter.steps += 1;
  switch (node.kind) {
    case 'set':
      if (at < run.text.length && holds(node, run.text[at]!)) then(at + 1);
      return;
    case 'group':
      return follow(node.node, run, at, then);
    case 'choice':
      for (const option of node.options) follow(option, run, at, then);
      return;
    case 'sequence':
      return node.parts.reduceRight<Then>((rest, part) => (place) => follow(part, run, place, rest), then)(at);
    case 'repeat':
      return repeat(node, run, { at, count: 0 }, then);
    case 'assert':
      // Treated as true: an attacker chooses the text.
      return then(at);
  }
}

// oxlint-disable-next-line max-params -- as above
function repeat(
  node: Node & { kind: 'repeat' },
  run: Run,
  { at, count }: { at: number; count: number },
  then: Then,
): void {
  if (count < node.most) {
    follow(node.node, run, at, (next) => {
      if (next > at) repeat(node, run, { at: next, count: count + 1 }, then);
    });
  }
  if (count >= node.least) then(at);
}

const holds = ({ ranges, isNegated }: Node & { kind: 'set' }, sign: string): boolean =>
  ranges.some(({ from, to }) => sign.codePointAt(0)! >= from && sign.codePointAt(0)! <= to) !== isNegated;

/** A character for each range of code points that the pattern distinguishes: the material of attacks. */
export function signsOf(node: Node): string[] {
  const edges = setsIn(node).flatMap((ranges) => ranges.flatMap(({ from, to }) => [from, Math.min(to + 1, 0x10ffff)]));
  const codes = [...new Set([...edges, 0x21, 0x61, 0x31, 0x20])];
  return codes.filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
}

function setsIn(node: Node): (readonly CharacterRange[])[] {
  switch (node.kind) {
    case 'set':
      return [node.isNegated ? complement(node.ranges) : node.ranges];
    case 'group':
    case 'repeat':
      return setsIn(node.node);
    case 'choice':
      return node.options.flatMap(setsIn);
    case 'sequence':
      return node.parts.flatMap(setsIn);
    case 'assert':
      return [];
  }
}
