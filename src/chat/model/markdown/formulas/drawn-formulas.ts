/** Finds drawn formulas in rendered content, for code that processes its text: a drawing consists mostly of tags. */

interface Part {
  readonly html: string;
  /** The formula's source, if this part is a drawing; still HTML-escaped. */
  readonly tex?: string;
}

const OPENING = '<span class="katex';
const SPAN = /<(\/?)span\b/g;
const SOURCE = /<annotation encoding="application\/x-tex">([^<]*)<\/annotation>/;

export function partsOf(html: string): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (let start = html.indexOf(OPENING); start !== -1; start = html.indexOf(OPENING, done)) {
    const end = endOf(html, start);
    const drawing = html.slice(start, end);
    parts.push({ html: html.slice(done, start) }, { html: drawing, tex: SOURCE.exec(drawing)?.[1] ?? '' });
    done = end;
  }
  return [...parts, { html: html.slice(done) }];
}

/** The position after the closing tag of the span at `start`. */
function endOf(html: string, start: number): number {
  let depth = 0;
  SPAN.lastIndex = start;
  for (let match = SPAN.exec(html); match; match = SPAN.exec(html)) {
    depth += match[1] === '' ? 1 : -1;
    if (depth === 0) return html.indexOf('>', match.index) + 1;
  }
  return html.length;
}
