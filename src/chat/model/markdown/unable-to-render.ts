/** What cannot become HTML: too much of it, or too long under way. */
import { Fault } from '../../../kernel/fault';

/** From the real server. */
export const MOST_HTML = 100_000;

export const unableToRender = (cause?: unknown): Fault =>
  new Fault('invalid', 'Unable to render message', { code: 'BAD_REQUEST', cause });
