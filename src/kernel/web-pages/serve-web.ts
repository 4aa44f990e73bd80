/** Serves the built pages. Hashed files are cached for ever, and a page answers every page address without a route. */
import type { Context, Middleware } from 'koa';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stateOf } from '../http/access-log';
import type { Log } from '../log';
import { openWebFolder, type Encoding, type WebFile } from './web-folder';

const ASSETS = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Libraries that write style elements need a nonce. A page with this placeholder gets a new one in every response. */
const NONCE_PLACE = '__CSP_NONCE__';

/** Nothing comes from elsewhere: another server would learn who looks at the page. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === '' ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

const HEADERS = {
  'Content-Security-Policy': policyOf(''),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Runs after the routes, for requests that none of them takes. Pages that are not named are not served. */
export function serveWeb(folder: string, log: Log, names: readonly string[]): Middleware {
  const currentFiles = openWebFolder(folder, log);
  const isServed = (path: string): boolean => !path.endsWith('.html') || names.includes(path.slice(1, -'.html'.length));

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const files = await currentFiles();
    const file = files.get(ctx.path);
    if (file && isServed(ctx.path)) return sendFile(ctx, file);
    const name = isPageAddress(ctx) ? pageAt(names, ctx.path) : undefined;
    return name === undefined ? next() : sendPage(ctx, files.get(`/${name}.html`));
  };
}

/** A topic in a URL may look like a file, so a page address is recognised by a browser that wants HTML. */
const isPageAddress = ({ path, headers }: Context): boolean =>
  path === '/' || (!path.startsWith(ASSETS) && headers.accept?.includes('text/html') === true);

/** `/portal/…` is the page `portal`; every other address is the page `index`, the chat. */
function pageAt(names: readonly string[], path: string): string | undefined {
  const [, first = ''] = path.split('/');
  return [first, 'index'].find((name) => names.includes(name));
}

function begin(ctx: Context, route: string): void {
  const state = stateOf(ctx);
  state.product = 'web';
  state.route = route;
  ctx.set(HEADERS);
}

async function sendPage(ctx: Context, page: WebFile | undefined): Promise<void> {
  begin(ctx, '/');
  ctx.set({ 'Cache-Control': 'no-cache', Vary: 'Accept' });
  ctx.type = 'text/html; charset=utf-8';
  const text = page ? await readFile(page.variants.get('identity')!.file, 'utf8') : UNBUILT_PAGE;
  if (!text.includes(NONCE_PLACE)) {
    ctx.body = text;
    return;
  }
  const nonce = randomBytes(16).toString('base64url');
  ctx.set('Content-Security-Policy', policyOf(nonce));
  ctx.body = text.replaceAll(NONCE_PLACE, nonce);
}

function sendFile(ctx: Context, file: WebFile): Promise<void> | void {
  // A page requested by its file name is still a page.
  if (ctx.path.endsWith('.html')) return sendPage(ctx, file);
  const isHashed = ctx.path.startsWith(ASSETS);
  begin(ctx, isHashed ? ASSETS : ctx.path);
  ctx.set({ 'Cache-Control': isHashed ? FOR_EVER : 'no-cache', ETag: file.etag, Vary: 'Accept-Encoding' });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encoding = ctx.acceptsEncodings([...file.variants.keys()]) as Encoding | false;
  const chosen = encoding === false ? 'identity' : encoding;
  const { file: path, bytes } = file.variants.get(chosen)!;
  if (chosen !== 'identity') ctx.set('Content-Encoding', chosen);
  ctx.type = file.type;
  ctx.length = bytes;
  if (ctx.method === 'GET') ctx.body = createReadStream(path);
}

/** Shown at page addresses while the pages are not built. */
const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partyline</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Partyline</h1>
<p>This node runs, but its pages are not built. Build them with <code>npm run build</code>; the node finds them by itself.</p>
<ul>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/docs/integrations">Integrations of the chat</a></li>
</ul>
<p>After the build, the chat is at <code>/</code> and the portal of telephony at <code>/portal</code>, and the console of
the operators at <code>/ops</code>.</p>
</body>
</html>
`;
