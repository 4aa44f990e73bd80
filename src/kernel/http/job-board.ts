/** Bull Board behind a door of ours: one board that can change things and one that cannot, without outside addresses. */
import type { Context, Middleware } from 'koa';
import type { Kernel } from '../kernel';
import type { Board, OpenBoard } from './bull-board';

/** A page of a product, asked before its routes. */
export type Page = Middleware;

export interface Visitor {
  readonly name: string;
  readonly mayChange: boolean;
}

export interface BoardDoor {
  readonly path: string;
  admit(knock: Knock): Promise<Visitor | Refusal>;
  /** Something was changed. */
  changed(visitor: Visitor, what: string): Promise<void>;
}

export interface Knock {
  readonly method: string;
  readonly ip: string;
  header(name: string): string;
}

export interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
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

export function serveJobBoard(kernel: Kernel, door: BoardDoor): Page {
  let opened: Record<'full' | 'readOnly', Board> | undefined;
  let lookedAt = 0;

  /** Loaded when the first operator comes: it is much, and most processes never show it. */
  function open(): Record<'full' | 'readOnly', Board> {
    const { openBoard } = require('./bull-board') as { openBoard: OpenBoard };
    return { full: openBoard(door.path, false), readOnly: openBoard(door.path, true) };
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

  return async (ctx, next) => {
    if (ctx.path !== door.path && !ctx.path.startsWith(`${door.path}/`)) return next();
    ctx.state['route'] = door.path;
    ctx.state['product'] = door.path;
    ctx.set(HEADERS);
    const visitor = await door.admit({ method: ctx.method, ip: ctx.ip, header: (name) => ctx.get(name) });
    if ('status' in visitor) return refuse(ctx, visitor);
    const board = await boardFor(visitor);
    await board.serve(ctx, () => Promise.resolve());
    keepInside(ctx);
    const isChange = ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.status < 400;
    if (isChange) await door.changed(visitor, `${ctx.method} ${ctx.path.slice(door.path.length)}`);
  };
}

function refuse(ctx: Context, { status, detail, headers }: Refusal): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = { status, detail };
}

/** The page would fetch letters from elsewhere; it does without. */
function keepInside(ctx: Context): void {
  if (typeof ctx.body === 'string' && ctx.body.startsWith('<!')) ctx.body = ctx.body.replaceAll(OUTSIDE_LINK, '');
}
