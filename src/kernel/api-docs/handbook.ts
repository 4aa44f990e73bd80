/** Pages of documentation that a product brings along: written in Markdown, listed on /docs and served below it. */
import MarkdownIt from 'markdown-it';

export interface HandbookPage {
  /** Its place below the handbook's. */
  readonly name: string;
  /** Read when first wanted. The first heading is its title. */
  readonly markdown: () => string;
}

export interface Handbook {
  /** Its place below /docs. */
  readonly name: string;
  readonly title: string;
  readonly pages: readonly HandbookPage[];
}

const STYLE =
  'body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:#222}' +
  'pre{padding:.75rem;overflow-x:auto;background:#f4f4f4}code{font-family:ui-monospace,monospace;font-size:.9em}' +
  '@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#2a2a2a}a{color:#8ab4f8}}';

/** Whatever stands in a page, no HTML of its own gets out. */
const renderer = new MarkdownIt({ html: false });

export const escapeHtml = (text: string): string => renderer.utils.escapeHtml(text);

export const pathOf = (book: Handbook, page?: HandbookPage): string =>
  page ? `/docs/${book.name}/${page.name}` : `/docs/${book.name}`;

/** The table of contents, as a list of links. */
export const contentsOf = (book: Handbook): string =>
  book.pages.map((page) => `<li><a href="${pathOf(book, page)}">${escapeHtml(page.name)}</a></li>`).join('\n');

export function contentsPage(book: Handbook): string {
  return wholePage(book.title, `<h1>${escapeHtml(book.title)}</h1>\n<ul>\n${contentsOf(book)}\n</ul>`);
}

export function handbookPage(book: Handbook, page: HandbookPage): string {
  const text = page.markdown();
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page.name;
  const back = `<p><a href="/docs">API</a> / <a href="${pathOf(book)}">${escapeHtml(book.title)}</a></p>`;
  return wholePage(title, `${back}\n${renderer.render(text)}`);
}

const wholePage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Partyline</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
