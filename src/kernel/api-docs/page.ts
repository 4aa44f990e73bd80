/** The frame of pages that a node renders itself. They look like the pages of the browser client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

/** HTML inside a page's Markdown is escaped. */
export const markdown = new MarkdownIt({ html: false });

export const escapeHtml = (text: string): string => markdown.utils.escapeHtml(text);

export const STYLE_PATH = '/docs/style.css';
/** The mark of the product, which the browser client has too. */
export const MARK_PATH = '/docs/mark.svg';

export const readMark = (): string => readFileSync(join(__dirname, 'mark.svg'), 'utf8');

export const readStyle = (): string =>
  ['colors.css', 'stand-ins.css', 'docs.css'].map((name) => readFileSync(join(__dirname, name), 'utf8')).join('\n');

export interface FramedPage {
  readonly title: string;
  readonly body: string;
  /** The search text. */
  readonly query?: string;
  /** Added to the head, before the common style sheet. */
  readonly more?: string;
}

export type Frame = (page: FramedPage) => string;

/** All pages begin with the same links and search box. */
export function openFrame(links: readonly { readonly path: string; readonly title: string }[]): Frame {
  const list = links.map(({ path, title }) => `<a href="${path}">${escapeHtml(title)}</a>`).join('\n');
  return ({ title, body, query = '', more = '' }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Partyline</title>
<link rel="icon" href="${MARK_PATH}">
${more}<link rel="stylesheet" href="${STYLE_PATH}">
<script src="/docs/page.js"></script>
</head>
<body>
<nav class="bar" aria-label="Documentation">
<a href="/"><img src="${MARK_PATH}" alt="" width="20" height="20"> Partyline</a>
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
