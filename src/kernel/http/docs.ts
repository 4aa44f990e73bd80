/** /openapi.json and /docs: the API reference, served from the package's own files without any outside address. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partyline API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list' });\n";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function serveDocs(document: object): Middleware {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const files: Readonly<Record<string, { type: string; body: () => string }>> = {
    '/openapi.json': { type: 'application/json', body: once(() => JSON.stringify(document)) },
    '/docs': { type: 'text/html; charset=utf-8', body: () => PAGE },
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
    const file = files[ctx.path === '/docs/' ? '/docs' : ctx.path];
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' });
    ctx.body = file.body();
    ctx.type = file.type;
  };
}

/** Read when first wanted, then kept: 1.7 MB are not read at the start of every node. */
function once(read: () => string): () => string {
  let kept: string | undefined;
  return () => (kept ??= read());
}
