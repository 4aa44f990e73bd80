/** **Strong**, *emphasised* and ~~deleted~~ text. Pairs never span lines and nest properly; underscores are plain. */
import type { MarkdownIt, StateInline, Token } from 'markdown-it';

type Tag = 'strong' | 'em' | 'del';
type Piece = string | { readonly tag: Tag; readonly nesting: 1 | -1 };

/** A run of stars or tildes. Its pieces are its characters, until pairs consume them. */
interface Run {
  readonly token: number;
  readonly line: number;
  readonly marker: string;
  readonly count: number;
  readonly isAfterSpace: boolean;
  readonly isBeforeSpace: boolean;
  readonly pieces: Piece[];
}

/** Longer runs of stars are decoration. */
const MAX_STARS = 3;

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

function readRun(state: StateInline): boolean {
  const { src, pos } = state;
  const marker = src[pos]!;
  if (marker !== '*' && marker !== '~') return false;
  let end = pos + 1;
  while (src[end] === marker) end += 1;
  const token = state.push('delimiter', '', 0);
  token.content = src.slice(pos, end);
  token.meta = { isAfterSpace: isSpace(src[pos - 1]), isBeforeSpace: isSpace(src[end]) };
  state.pos = end;
  return true;
}

function pairRuns(state: StateInline): void {
  const runs = collectRuns(state.tokens);
  if (runs.length === 0) return;
  const stars = runs.filter(({ marker, count }) => marker === '*' && count <= MAX_STARS);
  pairTriples(stars);
  pairDoubles(stars);
  pairSingles(runs);
  pairTildes(runs);
  replaceRuns(state, runs);
}

function collectRuns(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  let line = 0;
  for (const [index, { type, content, meta }] of tokens.entries()) {
    if (type === 'softbreak') line += 1;
    if (type !== 'delimiter') continue;
    const { isAfterSpace, isBeforeSpace } = meta as { isAfterSpace: boolean; isBeforeSpace: boolean };
    const pieces: Piece[] = Array.from(content);
    runs.push({ token: index, line, marker: content[0]!, count: content.length, isAfterSpace, isBeforeSpace, pieces });
  }
  return runs;
}

const open = (tag: Tag): Piece => ({ tag, nesting: 1 });
const close = (tag: Tag): Piece => ({ tag, nesting: -1 });
const isUntouched = ({ pieces, count }: Run): boolean => pieces.length === count;

/** ***x*** */
function pairTriples(stars: readonly Run[]): void {
  for (let index = 0; index + 1 < stars.length; index += 1) {
    const [left, right] = [stars[index]!, stars[index + 1]!];
    if (left.count !== 3 || right.count !== 3 || left.line !== right.line) continue;
    if (left.isBeforeSpace || right.isAfterSpace || !isUntouched(left)) continue;
    left.pieces.splice(0, 3, open('strong'), open('em'));
    right.pieces.splice(0, 3, close('em'), close('strong'));
  }
}

/** **x**: the first two stars open, the first two of the next such run close. */
function pairDoubles(stars: readonly Run[]): void {
  let opener: Run | undefined;
  for (const run of stars) {
    if (run.count < 2 || !isUntouched(run)) continue;
    if (opener?.line === run.line) {
      opener.pieces.splice(0, 2, open('strong'));
      run.pieces.splice(0, 2, close('strong'));
      opener = undefined;
    } else {
      opener = run;
    }
  }
}

/** *x*: two stars with no other star between them, at the same depth. One opener waits at each depth. */
function pairSingles(runs: readonly Run[]): void {
  let openers: ({ run: Run; piece: number } | undefined)[] = [];
  let [depth, line] = [0, 0];
  for (const run of runs) {
    if (run.line !== line) openers = [];
    line = run.line;
    for (const [piece, current] of run.pieces.entries()) {
      if (typeof current !== 'string') {
        depth += current.nesting;
        openers.length = Math.min(openers.length, depth + 1);
      } else if (current === '*') {
        openers[depth] = pairSingle(openers[depth], run, piece);
      }
    }
  }
}

/** Pairs a star with the waiting opener, if possible. Returns the opener that waits from here on. */
function pairSingle(opener: { run: Run; piece: number } | undefined, run: Run, piece: number) {
  if (opener && opener.run !== run && !(piece === 0 && run.isAfterSpace)) {
    opener.run.pieces[opener.piece] = open('em');
    run.pieces[piece] = close('em');
    return undefined;
  }
  const mayOpen = piece === run.pieces.length - 1 && !run.isBeforeSpace && run.count <= MAX_STARS;
  return mayOpen ? { run, piece } : undefined;
}

/** ~~x~~: exactly two tildes on either side, at the same depth. */
function pairTildes(runs: readonly Run[]): void {
  const path: number[] = [0];
  let [opened, last]: [number, { run: Run; place: number } | undefined] = [0, undefined];
  for (const run of runs) {
    for (const piece of run.pieces) {
      if (typeof piece === 'string') continue;
      if (piece.nesting === 1) path.push((opened += 1));
      else path.pop();
    }
    if (run.marker !== '~') continue;
    const place = path.at(-1)!;
    if (run.count !== 2) {
      last = undefined;
    } else if (last !== undefined && last.run.line === run.line && last.place === place) {
      last.run.pieces.splice(0, 2, open('del'));
      run.pieces.splice(0, 2, close('del'));
      last = undefined;
    } else {
      last = { run, place };
    }
  }
}

function replaceRuns(state: StateInline, runs: readonly Run[]): void {
  const tokens: Token[] = [];
  let from = 0;
  for (const { token, pieces } of runs) {
    for (let index = from; index < token; index += 1) tokens.push(state.tokens[index]!);
    for (const piece of pieces) tokens.push(tokenOf(state, piece));
    from = token + 1;
  }
  for (let index = from; index < state.tokens.length; index += 1) tokens.push(state.tokens[index]!);
  state.tokens.length = 0;
  for (const token of tokens) state.tokens.push(token);
}

function tokenOf(state: StateInline, piece: Piece): Token {
  if (typeof piece === 'string') {
    const text = new state.Token('text', '', 0);
    text.content = piece;
    return text;
  }
  return new state.Token(`${piece.tag}_${piece.nesting === 1 ? 'open' : 'close'}`, piece.tag, piece.nesting);
}

export function emphasisPlugin(md: MarkdownIt): void {
  md.inline.ruler.at('emphasis', readRun);
  md.inline.ruler2.at('emphasis', pairRuns);
}
