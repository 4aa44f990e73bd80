/** Bull Board behind our own access check: one board that can change jobs and one that cannot, without outside addresses. */
import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Kernel } from '../kernel';
import { maskText } from '../mask';
import type { Board, OpenBoard } from './bull-board';
import type { Reply } from '../http/dialect';

/** A page of a product, at a path that none of its routes has. */
export type Page = Middleware;

export interface Visitor {
  readonly name: string;
  readonly mayChange: boolean;
}

export interface BoardEntry {
  readonly path: string;
  /** Throws a Fault where somebody may not come in, or not do this. */
  admit(request: BoardRequest): Promise<Visitor>;
  /** Something was changed; the path is the one below the board's own. */
  changed(visitor: Visitor, change: { readonly method: string; readonly path: string }): Promise<void>;
  /** What is answered when something was thrown. */
  failure(error: unknown): Reply;
  /** What is answered when the board itself refused; its page looks for `error`. */
  refused(status: number, detail: string, error: unknown): Reply;
}

export interface BoardRequest {
  readonly method: string;
  readonly ip: string;
  header(name: string): string;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'";
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};
/** Queues that came since are found after this time. */
const LOOK_AGAIN_MS = 5000;
const OUTSIDE_LINK = /<link[^>]+href="https?:[^>]*>/g;

export function serveJobBoard(kernel: Kernel, entry: BoardEntry): Page {
  let opened: Record<'full' | 'readOnly', Board> | undefined;
  let lookedAt = 0;

  /** Loaded when the first operator comes: it is much, and most processes never show it. */
  function open(): Record<'full' | 'readOnly', Board> {
    const { openBoard } = require('./bull-board') as { openBoard: OpenBoard };
    return { full: openBoard(entry.path, false), readOnly: openBoard(entry.path, true) };
  }

  async function boardFor({ mayChange }: Visitor): Promise<Board> {
    const boards = (opened ??= open());
    if (Date.now() - lookedAt > LOOK_AGAIN_MS) {
      const names = await kernel.jobs.shelf.names();
      const queues = await Promise.all(names.map((name) => kernel.jobs.shelf.queue(name)));
      for (const board of Object.values(boards)) board.show(queues);
      lookedAt = Date.now();
    }
    return mayChange ? boards.full : boards.readOnly;
  }

  async function serve(ctx: Context): Promise<void> {
    const visitor = await entry.admit({ method: ctx.method, ip: ctx.ip, header: (name) => ctx.get(name) });
    const board = await boardFor(visitor);
    await board.serve(ctx, () => Promise.resolve());
    keepInside(ctx);
    if (ctx.status >= 400) return refuse(ctx);
    const isChange = ctx.method !== 'GET' && ctx.method !== 'HEAD';
    if (isChange) await entry.changed(visitor, { method: ctx.method, path: ctx.path.slice(entry.path.length) });
  }

  function refuse(ctx: Context): void {
    const said: Said = typeof ctx.body === 'object' && ctx.body !== null ? ctx.body : {};
    send(ctx, entry.refused(ctx.status, detailOf(ctx.status, ctx.method, said), said.error));
  }

  return async (ctx, next) => {
    if (ctx.path !== entry.path && !ctx.path.startsWith(`${entry.path}/`)) return next();
    ctx.state['route'] = entry.path;
    ctx.state['product'] = entry.path;
    ctx.set(HEADERS);
    try {
      await serve(ctx);
    } catch (error) {
      send(ctx, entry.failure(error));
    }
  };
}

function send(ctx: Context, { status, body, headers = {} }: Reply): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

/** What the board answers when it refuses: its page translates the key. */
interface Said {
  readonly error?: { readonly key?: string };
  readonly message?: string;
}

/** What the board says of it, unless it is about the inside. */
function detailOf(status: number, method: string, { error, message }: Said): string {
  if (status === 405) return `${method} is not served here: jobs come from the product alone`;
  if (status >= 500) return STATUS_CODES[status] ?? 'Error';
  if (message !== undefined) return maskText(message);
  if (error?.key === undefined) return status === 404 ? 'There is nothing here' : (STATUS_CODES[status] ?? 'Error');
  return error.key
    .replace(/^ERRORS\./, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** The page would fetch letters from elsewhere; it does without. */
function keepInside(ctx: Context): void {
  if (typeof ctx.body === 'string' && ctx.body.startsWith('<!')) ctx.body = ctx.body.replaceAll(OUTSIDE_LINK, '');
}
