/**
 * The first, small script of the page: it requests what the first view needs while the rest loads. Later code takes
 * each of these answers once, and repeats a request that failed. It then loads `start.ts`.
 */
import { setToken } from '../shared/http/request';
import { askMessages, askQueue, askSession, startOf } from './data/ask';
import { keyOf, placeAt, type Narrow } from './data/narrow';
import { readPageToken } from './page-token';
import { mustSetUp, type MessagesAnswer, type Registered, type Session } from './data/wire';

interface Early {
  session?: Promise<Session>;
  queue?: Promise<Registered>;
  messages?: { readonly key: string; readonly answer: Promise<MessagesAnswer> };
}

const early: Early = {};

const viewKey = (narrow: Narrow, near: number | undefined): string => `${keyOf(narrow)} ${near ?? ''}`;

/**
 * With the token in the cookie the queue need not wait for the session. A refusal, because the token or the session is no
 * longer valid, is left to the code that takes the answer.
 */
async function askEarly(): Promise<void> {
  const token = readPageToken();
  if (token !== '') askViewWith(token);
  early.session = askSession();
  early.session.catch(() => undefined);
  if (token !== '') return;
  const session = await early.session;
  if (session.signed_in && !mustSetUp(session)) askViewWith(session.token);
}

/** Messages are requested once there is a queue, so that no event is missed, and do not wait for its answer. */
function askViewWith(token: string): void {
  setToken(token);
  const place = placeAt(location.pathname);
  const onAccepted = () => place && askAhead(place.narrow, place.near);
  early.queue = askQueue({ onAccepted });
  // The code that takes an answer handles its error.
  early.queue.catch(() => undefined);
}

const asked = askEarly().catch(() => undefined);

void import('./start');

/** Whether all requests succeeded; false if one failed or nothing was requested. */
export async function isAnswered(): Promise<boolean> {
  await asked;
  try {
    const queue = await early.queue;
    await early.messages?.answer;
    return queue !== undefined;
  } catch {
    return false;
  }
}

function taken<Answer>(answer: Promise<Answer> | undefined, ask: () => Promise<Answer>): Promise<Answer> {
  return answer ? answer.catch(ask) : ask();
}

export function firstSession(): Promise<Session> {
  const { session } = early;
  delete early.session;
  return taken(session, askSession);
}

export function firstQueue(signal?: AbortSignal): Promise<Registered> {
  const { queue } = early;
  delete early.queue;
  return taken(queue, () => askQueue(signal ? { signal } : {}));
}

/** While a view is drawn, its messages are on their way. */
export function askAhead(narrow: Narrow, near: number | undefined): void {
  const key = viewKey(narrow, near);
  if (early.messages?.key === key) return;
  const answer = askMessages(narrow, startOf(narrow, near));
  early.messages = { key, answer };
  answer.catch(() => undefined);
}

export function firstMessages(narrow: Narrow, near: number | undefined): Promise<MessagesAnswer> {
  const { messages } = early;
  delete early.messages;
  const isThis = messages?.key === viewKey(narrow, near);
  return taken(isThis ? messages.answer : undefined, () => askMessages(narrow, startOf(narrow, near)));
}
