/** The fault for content whose HTML is too long or takes too long to render. */
import { Fault } from '../../../kernel/fault';

/** Zulip's limit. */
export const MAX_HTML = 100_000;

export const unableToRender = (cause?: unknown): Fault =>
  new Fault('invalid', 'Unable to render message', { code: 'BAD_REQUEST', cause });
