/** Markdown around a selection, as changes of the text. Pressing again takes the marks away. */

export interface Selection {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Replaces what lies between `from` and `to`, and selects a part of the result. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly select: readonly [number, number];
}

export type Format = 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'list' | 'quote' | 'spoiler' | 'formula' | 'poll';

type Formatting = (at: Selection, inner: string, heading: string) => Edit;

const marks =
  (mark: string, block?: string): Formatting =>
  (at, inner) =>
    block !== undefined && inner.includes('\n') ? fenced(at, block) : wrapped(at, mark);

const FORMATTINGS: Readonly<Record<Format, Formatting>> = {
  bold: marks('**'),
  italic: marks('*'),
  strike: marks('~~'),
  code: marks('`', '```'),
  formula: marks('$$', '```math'),
  link: linked,
  list: bulleted,
  quote: (at) => fenced(at, '```quote'),
  spoiler: (at, _, heading) => fenced(at, `\`\`\`spoiler ${heading}`),
  poll: ({ text }) => ({ from: 0, to: text.length, text: `/poll ${text}`, select: [6, 6 + text.length] }),
};

/** `heading` is that of a new spoiler. */
export const formatted = (format: Format, at: Selection, heading = ''): Edit =>
  FORMATTINGS[format](at, at.text.slice(at.from, at.to), heading);

function wrapped({ text, from, to }: Selection, mark: string): Edit {
  const inner = text.slice(from, to);
  const { length } = mark;
  if (hasMarks(inner, mark) && inner.length >= 2 * length) {
    const bare = inner.slice(length, -length);
    return { from, to, text: bare, select: [from, from + bare.length] };
  }
  if (hasMarks(text.slice(0, from), mark, 'end') && hasMarks(text.slice(to), mark, 'start')) {
    return { from: from - length, to: to + length, text: inner, select: [from - length, to - length] };
  }
  // Spaces at the edges stay outside: marks beside a space are no marks.
  const start = from + (inner.length - inner.trimStart().length);
  const end = Math.max(start, to - (inner.length - inner.trimEnd().length));
  const bare = text.slice(start, end);
  return { from: start, to: end, text: mark + bare + mark, select: [start + length, end + length] };
}

/** One star within two is not the mark of italics. */
function hasMarks(text: string, mark: string, where: 'both' | 'start' | 'end' = 'both'): boolean {
  const char = mark[0]!;
  const starting = new RegExp(`^\\${char}*`).exec(text)![0].length;
  const ending = new RegExp(`\\${char}*$`).exec(text)![0].length;
  const fits = (count: number): boolean =>
    mark === '*' ? count === 1 || count === 3 : mark === '**' ? count >= 2 : count >= mark.length;
  return (where === 'end' || fits(starting)) && (where === 'start' || fits(ending));
}

function linked({ from, to }: Selection, inner: string): Edit {
  if (/^https?:\/\/\S+$/.test(inner)) return { from, to, text: `[](${inner})`, select: [from + 1, from + 1] };
  const url = 'url';
  const start = from + inner.length + 3;
  return { from, to, text: `[${inner}](${url})`, select: [start, start + url.length] };
}

/** All lines that the selection touches. */
function wholeLines({ text, from, to }: Selection): Selection {
  const end = text.indexOf('\n', to);
  return { text, from: text.lastIndexOf('\n', from - 1) + 1, to: end === -1 ? text.length : end };
}

function bulleted(at: Selection): Edit {
  const { text, from, to } = wholeLines(at);
  const lines = text.slice(from, to).split('\n');
  const isList = lines.every((line) => /^[*-] /.test(line));
  const next = lines.map((line) => (isList ? line.slice(2) : `* ${line}`)).join('\n');
  const end = from + next.length;
  return { from, to, text: next, select: at.from === at.to ? [end, end] : [from, end] };
}

function fenced(at: Selection, open: string): Edit {
  const { text, from, to } = at.from === at.to ? at : wholeLines(at);
  const inner = text.slice(from, to);
  const gap = from > 0 && text[from - 1] !== '\n' ? '\n' : '';
  const after = to < text.length && text[to] !== '\n' ? '\n' : '';
  const start = from + gap.length + open.length + 1;
  return {
    from,
    to,
    text: `${gap}${open}\n${inner}\n\`\`\`${after}`,
    select: [start, start + inner.length],
  };
}
