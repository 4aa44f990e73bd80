/**
 * The first script of the page, and a small one: while the rest is on its way, it asks for what the first view needs. Whoever
 * wants the same afterwards takes these answers, once; where one failed, it is asked for again.
 */
import { pause, setToken } from '../shared/http/request';
import { askMessages, askQueue, askSession, startOf } from './data/ask';
import { keyOf, placeAt, type Narrow } from './data/narrow';
import { mustSetUp, type MessagesAnswer, type Registered, type Session } from './data/wire';

interface Early {
  session?: Promise<Session>;
  queue?: Promise<Registered>;
  messages?: { readonly key: string; readonly answer: Promise<MessagesAnswer> };
}

const early: Early = {};

const viewKey = (narrow: Narrow, near: number | undefined): string => `${keyOf(narrow)} ${near ?? ''}`;

/** One after the other: a queue that is older than the messages misses none. */
async function askEarly(): Promise<void> {
  early.session = askSession();
  const session = await early.session;
  if (!session.signed_in || mustSetUp(session)) return;
  setToken(session.token);
  early.queue = askQueue();
  // Whoever takes an answer learns why there is none.
  early.queue.catch(() => undefined);
  const place = placeAt(location.pathname);
  if (!place) return;
  await early.queue;
  const answer = askMessages(place.narrow, startOf(place.narrow, place.near));
  early.messages = { key: viewKey(place.narrow, place.near), answer };
  answer.catch(() => undefined);
}

/** Running the rest takes a while, in which no request could be made: it begins when all requests are on their way, or late. */
const LONGEST_WAIT_MS = 1000;

void Promise.race([askEarly().catch(() => undefined), pause(LONGEST_WAIT_MS)]).then(() => import('./main'));

/** Whether all that was asked for has been answered, or is within so many milliseconds. */
export function isAnswered(ms: number): Promise<boolean> {
  const answers = Promise.all([early.queue, early.messages?.answer]);
  const isThere = answers.then(
    ([queue]) => queue !== undefined,
    () => false,
  );
  return Promise.race([isThere, pause(ms).then(() => false)]);
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
  return taken(queue, () => askQueue(signal));
}

export function firstMessages(narrow: Narrow, near: number | undefined): Promise<MessagesAnswer> {
  const { messages } = early;
  delete early.messages;
  const isThis = messages?.key === viewKey(narrow, near);
  return taken(isThis ? messages.answer : undefined, () => askMessages(narrow, startOf(narrow, near)));
}
