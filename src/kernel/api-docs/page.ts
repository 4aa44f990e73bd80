/** The frame of the pages that a node writes itself: they look like the pages of the browser's client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

/** Whatever stands in a page, no HTML of its own gets out. */
export const markdown = new MarkdownIt({ html: false });

export const escapeHtml = (text: string): string => markdown.utils.escapeHtml(text);

export const STYLE_PATH = '/docs/style.css';

export const readStyle = (): string =>
  ['colors.css', 'docs.css'].map((name) => readFileSync(join(__dirname, name), 'utf8')).join('\n');

export interface FramedPage {
  readonly title: string;
  readonly body: string;
  /** What was searched for. */
  readonly query?: string;
  /** Stands in the head, before the style of all pages. */
  readonly more?: string;
}

export type Frame = (page: FramedPage) => string;

/** All pages begin with the same links and the same search. */
export function openFrame(links: readonly { readonly path: string; readonly title: string }[]): Frame {
  const list = links.map(({ path, title }) => `<a href="${path}">${escapeHtml(title)}</a>`).join('\n');
  return ({ title, body, query = '', more = '' }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Partyline</title>
<link rel="icon" href="data:,">
${more}<link rel="stylesheet" href="${STYLE_PATH}">
<script src="/docs/page.js"></script>
</head>
<body>
<nav class="bar" aria-label="Documentation">
<a href="/">Partyline</a>
${list}
<form action="/docs/search" role="search">
<input id="search" type="search" name="q" value="${escapeHtml(query)}" maxlength="100" autocomplete="off" aria-label="Search the documentation" placeholder="Search the documentation">
<ul id="found" class="found" aria-label="Found"></ul>
</form>
</nav>
${body}
</body>
</html>
`;
}
