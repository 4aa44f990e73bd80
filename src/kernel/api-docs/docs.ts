/** Serves /openapi.json and /docs: the API reference and the products' handbooks, without any outside resource. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { DOCS_SCRIPT } from './docs-script';
import { contentsOf, contentsPage, handbookPage, pathOf, type Handbook, summaryOf, titleOf } from './handbook';
import { escapeHtml, openFrame, MARK_PATH, readMark, readStyle, STYLE_PATH, type Frame, type FramedPage } from './page';

const REFERENCE = { path: '/docs', title: 'API reference' };

const reference = (handbooks: readonly Handbook[]): FramedPage => ({
  title: REFERENCE.title,
  more: '<link rel="stylesheet" href="/docs/swagger-ui.css">\n',
  body: `<div id="docs"></div>
<main>
${handbooks.map(navigation).join('\n')}
</main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
});

const navigation = (book: Handbook): string =>
  `<h2><a href="${pathOf(book)}">${escapeHtml(book.title)}</a></h2>\n<ul class="tiles">\n${contentsOf(book)}\n</ul>`;

const START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list' });\n";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

interface File {
  readonly type: string;
  /** The page has example requests, whose sources name a placeholder address. */
  readonly isExample?: boolean;
  readonly body: (query: string) => string;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

export function serveDocs(document: () => object, handbooks: readonly Handbook[] = []): Middleware {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const frame = openFrame([REFERENCE, ...handbooks.map((book) => ({ path: pathOf(book), title: book.title }))]);
  const entries = once(() => docsEntries(document(), handbooks));
  const text = (name: string) => once(() => readFileSync(join(folder, name), 'utf8'));
  const files: Readonly<Record<string, File>> = {
    ...Object.fromEntries(handbooks.flatMap((book) => filesOf(book, frame))),
    '/openapi.json': { type: 'application/json', body: once(() => JSON.stringify(document())) },
    '/docs': { type: HTML, body: once(() => frame(reference(handbooks))) },
    '/docs/search': { type: HTML, body: (query) => frame(searchPage(entries(), query)) },
    '/docs/index.json': { type: 'application/json', body: once(() => JSON.stringify(entries())) },
    [STYLE_PATH]: { type: CSS, body: once(readStyle) },
    [MARK_PATH]: { type: 'image/svg+xml', body: once(readMark) },
    '/docs/page.js': { type: SCRIPT, body: () => DOCS_SCRIPT },
    '/docs/start.js': { type: SCRIPT, body: () => START },
    '/docs/swagger-ui.css': { type: CSS, body: text('swagger-ui.css') },
    '/docs/swagger-ui-bundle.js': { type: SCRIPT, body: text('swagger-ui-bundle.js') },
  };

  const byPath = new Map(Object.entries(files));
  function show(ctx: Context, file: File): void {
    ctx.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
    const body = file.body(new URLSearchParams(ctx.querystring).get('q') ?? '');
    ctx.body = file.isExample === true ? addressedTo(ctx, body) : body;
    ctx.type = file.type;
  }
  return (ctx, next) => {
    const { method, path } = ctx.request;
    const isRead = method === 'GET' || method === 'HEAD';
    const file = isRead ? (byPath.get(path) ?? byPath.get(path.replace(/\/$/, ''))) : undefined;
    return file ? show(ctx, file) : next();
  };
}

const filesOf = (book: Handbook, frame: Frame): [string, File][] => [
  [pathOf(book), { type: HTML, body: once(() => frame(contentsPage(book))) }],
  ...book.pages.map((page): [string, File] => [
    pathOf(book, page),
    { type: HTML, isExample: true, body: once(() => frame(handbookPage(page))) },
  ]),
];

const EXAMPLE_ORIGIN = 'http://127.0.0.1:9991';
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;

/** Addresses examples to the host that serves the page. Behind a proxy, the proxy tells the scheme. */
function addressedTo(ctx: Context, page: string): string {
  if (!HOST.test(ctx.host)) return page;
  const scheme = ctx.get('x-forwarded-proto') === 'https' ? 'https' : ctx.protocol;
  return page.replaceAll(EXAMPLE_ORIGIN, `${scheme}://${ctx.host}`);
}

/** Read on first use and then cached, so that a node does not read 1.7 MB at its start. */
function once<Value>(read: () => Value): () => Value {
  let kept: Value | undefined;
  return () => (kept ??= read());
}

interface DocsEntry {
  readonly title: string;
  readonly hint: string;
  readonly url: string;
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

function docsEntries(document: object, handbooks: readonly Handbook[]): readonly DocsEntry[] {
  const pages = handbooks.flatMap((book) =>
    book.pages.map((page) => ({ title: titleOf(page), hint: summaryOf(page), url: pathOf(book, page) })),
  );
  const operations = Object.entries((document as Described).paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', operationId = '', tags = [] }]) => ({
      title: summary,
      hint: `${method.toUpperCase()} ${path}`,
      // The anchor at which Swagger UI opens an operation.
      url: `/docs#/${tags[0] ?? ''}/${operationId}`,
    })),
  );
  return [...pages, ...operations];
}

const MAX_FOUND = 100;
const MAX_QUERY_LENGTH = 100;

/** For browsers without JavaScript. */
function searchPage(entries: readonly DocsEntry[], written: string): FramedPage {
  const query = written.slice(0, MAX_QUERY_LENGTH);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ title, hint }) => {
    const text = `${title} ${hint}`.toLowerCase();
    return words.length > 0 && words.every((word) => text.includes(word));
  });
  const items = found
    .slice(0, MAX_FOUND)
    .map(
      ({ title, hint, url }) =>
        `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}<small>${escapeHtml(hint)}</small></a></li>`,
    );
  const list = items.length > 0 ? `<ul class="results">\n${items.join('\n')}\n</ul>` : '<p>Nothing was found.</p>';
  return { title: 'Search', query, body: `<main>\n<h1>Search</h1>\n${list}\n</main>` };
}
