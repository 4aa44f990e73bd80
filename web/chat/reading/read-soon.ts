/**
 * What somebody has seen is read at once on the page, and on the server soon, in a batch. Who leaves sooner loses
 * none: the batch is sent then, in a request that the browser finishes without the page.
 */
import { api, RequestError, type RequestOptions } from '../../shared/http/request';
import { setFlag } from '../data/apply-messages';
import { chat } from '../data/store';

const BATCH_MS = 700;
const RETRY_MS = 3_500;
const MAX_IDS = 1000;

const waiting = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function markRead(ids: readonly number[]): void {
  const unread = ids.filter((id) => chat().unread.conversationOf.has(id));
  if (unread.length === 0) return;
  for (const id of unread) waiting.add(id);
  setFlag(unread, 'read', true);
  timer ??= setTimeout(() => void send(), BATCH_MS);
}

async function send(options: RequestOptions = {}): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const ids = [...waiting].slice(0, MAX_IDS);
  if (ids.length === 0) return;
  for (const id of ids) waiting.delete(id);
  try {
    await api.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' }, options);
  } catch (error) {
    // What the server refuses it would refuse for ever.
    if (error instanceof RequestError && error.isPassing) for (const id of ids) waiting.add(id);
  }
  if (waiting.size > 0) timer ??= setTimeout(() => void send(), RETRY_MS);
}

/** A telephone may end a page that is hidden without another word. */
export function sendReadOnLeave(): () => void {
  const onHide = (): void => void (document.visibilityState === 'hidden' && send({ isKept: true }));
  document.addEventListener('visibilitychange', onHide);
  return () => document.removeEventListener('visibilitychange', onHide);
}
