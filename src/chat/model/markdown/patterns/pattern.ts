/**
 * Parses an organisation's pattern: a simple subset of Python's regular expressions. Clients run the same patterns in
 * backtracking engines, so nested repetitions, back-references and look-around are refused.
 */
import { holdsRepeat, mayBeEmpty } from './pattern-shape';

export interface CharacterRange {
  readonly from: number;
  readonly to: number;
}

export type Node =
  | { readonly kind: 'set'; readonly ranges: readonly CharacterRange[]; readonly isNegated: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'group'; readonly node: Node; readonly name: string }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'boundary' | 'no-boundary' };

export class PatternMistake extends Error {}

const MAX_PATTERN_LENGTH = 400;
const MAX_REPEATS = 100;
const LAST = 0x10ffff;

const range = (from: string, to = from): CharacterRange => ({ from: from.codePointAt(0)!, to: to.codePointAt(0)! });
const DIGITS = [range('0', '9')];
/** Beyond ASCII, as in Python, every letter-like character counts: all but the spaces and symbols in between. */
const WORDS = [
  ...DIGITS,
  range('A', 'Z'),
  range('a', 'z'),
  range('_'),
  { from: 0xaa, to: 0x1fff },
  { from: 0x2c00, to: LAST },
];
const SPACES = [range('\t', '\r'), range(' '), range('\u00a0'), range('\u2000', '\u200a'), range('\u2028', '\u2029')];
type Classes = Readonly<Record<string, readonly CharacterRange[]>>;
const CLASSES: Classes = { d: DIGITS, w: WORDS, s: SPACES };
/** Browsers count only ASCII letters. */
const BROWSER_CLASSES: Classes = { ...CLASSES, w: WORDS.filter(({ to }) => to < 0x80) };
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };

const isSingle = ([first, ...more]: readonly CharacterRange[]): boolean =>
  more.length === 0 && first!.from === first!.to;

/** All code points that are not in the ranges. */
export function complement(ranges: readonly CharacterRange[]): CharacterRange[] {
  const rest: CharacterRange[] = [];
  let next = 0;
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    if (from > next) rest.push({ from: next, to: from - 1 });
    next = Math.max(next, to + 1);
  }
  if (next <= LAST) rest.push({ from: next, to: LAST });
  return rest;
}

/** As Python reads it, or as browsers do. */
export function readPattern(source: string, engine: 'python' | 'browser' = 'python'): Node {
  if (source.length > MAX_PATTERN_LENGTH) throw new PatternMistake('too long');
  const reader = new Reader(source, engine === 'python' ? CLASSES : BROWSER_CLASSES);
  const node = reader.choice();
  if (!reader.isAtEnd) throw new PatternMistake('a parenthesis is closed that was never opened');
  return node;
}

/** A parser that holds the current position. */
class Reader {
  readonly #signs: readonly string[];
  readonly #classes: Classes;
  #at = 0;
  readonly #names = new Set<string>();

  constructor(source: string, classes: Classes) {
    this.#signs = Array.from(source);
    this.#classes = classes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#signs.length;
  }

  choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #take(text: string): boolean {
    const signs = Array.from(text);
    if (!signs.every((sign, index) => this.#signs[this.#at + index] === sign)) return false;
    this.#at += signs.length;
    return true;
  }

  #next(): string {
    const sign = this.#signs[this.#at];
    if (sign === undefined) throw new PatternMistake('it ends too early');
    this.#at += 1;
    return sign;
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (!this.isAtEnd && this.#signs[this.#at] !== '|' && this.#signs[this.#at] !== ')') parts.push(this.#repeat());
    return { kind: 'sequence', parts };
  }

  #repeat(): Node {
    const node = this.#atom();
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (node.kind === 'assert') throw new PatternMistake('an anchor cannot be repeated');
    if (holdsRepeat(node)) throw new PatternMistake('a repeat inside a repeat');
    if (bounds.most > 1 && mayBeEmpty(node)) throw new PatternMistake('a repeat of something that may be empty');
    const isLazy = this.#take('?');
    if (this.#bounds() !== undefined) throw new PatternMistake('two repeats in a row');
    return { kind: 'repeat', node, ...bounds, isLazy };
  }

  #bounds(): { least: number; most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: Infinity };
    if (this.#take('+')) return { least: 1, most: Infinity };
    if (this.#take('?')) return { least: 0, most: 1 };
    if (!this.#take('{')) return undefined;
    let inside = '';
    for (let sign = this.#next(); sign !== '}'; sign = this.#next()) inside += sign;
    const match = /^(\d{1,3})(,(\d{1,3})?)?$/.exec(inside);
    if (!match) throw new PatternMistake('a repeat that is no number');
    const least = Number(match[1]);
    const most = match[2] === undefined ? least : match[3] === undefined ? Infinity : Number(match[3]);
    const largest = most === Infinity ? least : most;
    if (most < least || largest > MAX_REPEATS) throw new PatternMistake('a repeat out of bounds');
    return { least, most };
  }

  #atom(): Node {
    const sign = this.#next();
    if (sign === '(') return this.#group();
    if (sign === '[') return this.#set();
    if (sign === '\\') return this.#escape();
    if (sign === '.') return { kind: 'set', ranges: [range('\n')], isNegated: true };
    if (sign === '^') return { kind: 'assert', what: 'start' };
    if (sign === '$') return { kind: 'assert', what: 'end' };
    if ('*+?{'.includes(sign)) throw new PatternMistake('nothing to repeat');
    return { kind: 'set', ranges: [range(sign)], isNegated: false };
  }

  #group(): Node {
    let name = '';
    if (this.#take('?P<') || this.#take('?<')) name = this.#name();
    else if (!this.#take('?:') && this.#signs[this.#at] === '?') throw new PatternMistake('look-around or flags');
    const node = this.choice();
    if (!this.#take(')')) throw new PatternMistake('a parenthesis is not closed');
    return name === '' ? node : { kind: 'group', node, name };
  }

  #name(): string {
    let name = '';
    for (let sign = this.#next(); sign !== '>'; sign = this.#next()) name += sign;
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(name)) throw new PatternMistake('look-around, or a group without a name');
    if (this.#names.has(name)) throw new PatternMistake('two groups of one name');
    this.#names.add(name);
    return name;
  }

  #escape(): Node {
    const sign = this.#next();
    if (sign === 'b') return { kind: 'assert', what: 'boundary' };
    if (sign === 'B') return { kind: 'assert', what: 'no-boundary' };
    return { kind: 'set', ranges: this.#escaped(sign), isNegated: false };
  }

  #escaped(sign: string): readonly CharacterRange[] {
    const known = this.#classes[sign.toLowerCase()];
    if (known) return sign === sign.toLowerCase() ? known : complement(known);
    if (sign in CONTROLS) return [range(CONTROLS[sign]!)];
    if (/[A-Za-z0-9]/.test(sign)) throw new PatternMistake('a back-reference or an unknown escape');
    return [range(sign)];
  }

  #set(): Node {
    const isNegated = this.#take('^');
    const ranges: CharacterRange[] = [];
    for (let isFirst = true; isFirst || this.#signs[this.#at] !== ']'; isFirst = false) {
      const left = this.#member();
      const isRange = this.#signs[this.#at] === '-' && ![']', undefined].includes(this.#signs[this.#at + 1]);
      if (!isRange) {
        ranges.push(...left);
        continue;
      }
      this.#at += 1;
      const right = this.#member();
      if (!isSingle(left) || !isSingle(right)) throw new PatternMistake('a range between classes');
      if (left[0]!.from > right[0]!.from) throw new PatternMistake('a range from high to low');
      ranges.push({ from: left[0]!.from, to: right[0]!.to });
    }
    this.#at += 1;
    return { kind: 'set', ranges, isNegated };
  }

  #member(): readonly CharacterRange[] {
    const sign = this.#next();
    return sign === '\\' ? this.#escaped(this.#next()) : [range(sign)];
  }
}
