/** /openapi.json and /docs: the API reference and the products' handbooks, served without any outside address. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { contentsOf, contentsPage, escapeHtml, handbookPage, pathOf, type Handbook } from './handbook';

const reference = (handbooks: readonly Handbook[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partyline API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
<style>nav { padding: 1rem; font-family: sans-serif } nav li { display: inline; margin-right: 1em }</style>
</head>
<body>
${handbooks.map(navigation).join('\n')}
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const navigation = (book: Handbook): string =>
  `<nav><a href="${pathOf(book)}">${escapeHtml(book.title)}</a><ul>\n${contentsOf(book)}\n</ul></nav>`;

const START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list' });\n";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

interface File {
  readonly type: string;
  /** Shows what to ask, and asks it of the address in the pages' sources. */
  readonly isExample?: boolean;
  readonly body: () => string;
}

const HTML = 'text/html; charset=utf-8';

export function serveDocs(document: () => object, handbooks: readonly Handbook[] = []): Middleware {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const files: Readonly<Record<string, File>> = {
    ...Object.fromEntries(handbooks.flatMap(filesOf)),
    '/openapi.json': { type: 'application/json', body: once(() => JSON.stringify(document())) },
    '/docs': { type: HTML, body: once(() => reference(handbooks)) },
    '/docs/start.js': { type: 'text/javascript; charset=utf-8', body: () => START },
    '/docs/swagger-ui.css': {
      type: 'text/css; charset=utf-8',
      body: once(() => readFileSync(join(folder, 'swagger-ui.css'), 'utf8')),
    },
    '/docs/swagger-ui-bundle.js': {
      type: 'text/javascript; charset=utf-8',
      body: once(() => readFileSync(join(folder, 'swagger-ui-bundle.js'), 'utf8')),
    },
  };

  return async (ctx, next) => {
    const path = ctx.path.replace(/\/$/, '');
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
    ctx.body = file.isExample === true ? addressedTo(ctx, file.body()) : file.body();
    ctx.type = file.type;
  };
}

const filesOf = (book: Handbook): [string, File][] => [
  [pathOf(book), { type: HTML, body: once(() => contentsPage(book)) }],
  ...book.pages.map((page): [string, File] => [
    pathOf(book, page),
    { type: HTML, isExample: true, body: once(() => handbookPage(book, page)) },
  ]),
];

const EXAMPLE_ORIGIN = 'http://127.0.0.1:9991';
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;

/** Examples ask whoever showed them, on whatever port that is. Behind a proxy the scheme is the proxy's word for it. */
function addressedTo(ctx: Context, page: string): string {
  if (!HOST.test(ctx.host)) return page;
  const scheme = ctx.get('x-forwarded-proto') === 'https' ? 'https' : ctx.protocol;
  return page.replaceAll(EXAMPLE_ORIGIN, `${scheme}://${ctx.host}`);
}

/** Read when first wanted, then kept: 1.7 MB are not read at the start of every node. */
function once(read: () => string): () => string {
  let kept: string | undefined;
  return () => (kept ??= read());
}
