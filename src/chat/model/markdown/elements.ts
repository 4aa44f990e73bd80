/** Finds whole elements in rendered content, whose tags are all closed. */

export interface Stretch {
  readonly html: string;
  readonly isElement: boolean;
}

/** Splits at the elements that begin with `opening`, such as `<span class="katex`. */
export function splitAtElements(html: string, opening: string): Stretch[] {
  const stretches: Stretch[] = [];
  let done = 0;
  for (let start = html.indexOf(opening); start !== -1; start = html.indexOf(opening, done)) {
    const end = endOf(html, start);
    stretches.push(
      { html: html.slice(done, start), isElement: false },
      { html: html.slice(start, end), isElement: true },
    );
    done = end;
  }
  return [...stretches, { html: html.slice(done), isElement: false }];
}

/** Replaces each such element. */
export const replaceElements = (html: string, opening: string, by: (element: string) => string): string =>
  splitAtElements(html, opening)
    .map((stretch) => (stretch.isElement ? by(stretch.html) : stretch.html))
    .join('');

/** What is hidden until the reader opens it. */
export const replaceSpoilers = (html: string, by: string): string =>
  replaceElements(html, '<div class="spoiler-content"', () => by);

const TAGS = { div: /<(\/?)div\b/g, span: /<(\/?)span\b/g };

/** The position after the closing tag of the element at `start`. */
function endOf(html: string, start: number): number {
  const tags = html.startsWith('<div', start) ? TAGS.div : TAGS.span;
  let depth = 0;
  tags.lastIndex = start;
  for (let match = tags.exec(html); match; match = tags.exec(html)) {
    depth += match[1] === '' ? 1 : -1;
    if (depth === 0) return html.indexOf('>', match.index) + 1;
  }
  return html.length;
}
