/** Answers to paths under a mount that nobody serves, or that are served by other methods. */
import type { Context } from 'koa';
import { Fault } from '../fault';
import type { Kernel } from '../kernel';
import type { Mount } from '../product';
import { replyToFault } from './faults';

export function sendUnrouted(ctx: Context, kernel: Kernel, { dialect }: Mount, allowed: readonly string[]): void {
  if (ctx.method === 'OPTIONS' && allowed.length > 0) {
    ctx.set({ ...dialect.headers, Allow: allowed.join(', ') });
    ctx.status = 204;
    return;
  }
  const { requestId, shownPath } = ctx.state as { requestId: string; shownPath: string };
  const request = { requestId, method: ctx.method, shownPath };
  const isDraining = kernel.lifecycle.draining.aborted;
  const fault = isDraining ? drainingFault() : unroutedFault(shownPath, allowed);
  const { status, headers, body } = replyToFault(kernel.log, dialect, fault, request);
  if (isDraining) ctx.set('Connection', 'close');
  ctx.status = status;
  ctx.set({ ...dialect.headers, ...headers });
  ctx.body = body === undefined ? null : JSON.stringify(body);
  ctx.status = status;
  if (body !== undefined) ctx.type = 'application/json';
}

/** Routes are not asked any more once the node has begun to drain. */
const drainingFault = (): Fault =>
  new Fault('unavailable', 'This node is shutting down, and nothing was done; try again', {
    headers: { 'Retry-After': '1' },
  });

function unroutedFault(path: string, allowed: readonly string[]): Fault {
  if (allowed.length === 0) {
    return new Fault('missing', `There is nothing at ${path.slice(0, 200)}`, { code: 'NOT_FOUND' });
  }
  return new Fault('wrong-method', 'Method Not Allowed', {
    fields: { allowed_methods: allowed },
    headers: { Allow: allowed.join(', ') },
  });
}
