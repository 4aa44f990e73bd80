/** What was done with Bull Board, in the words that the API and the command line remember it by. */
import type { Deed } from './audit';

export type BoardDeed = Pick<Deed, 'action' | 'target' | 'count'>;

/** What Bull Board calls otherwise. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['clean', 'discard'],
  ['empty', 'discard'],
]);
const OF_QUEUES = new Set(['pause', 'resume', 'concurrency', 'rate-limit', 'obliterate']);

/** `path` is the one below the board's own. */
export function boardDeed(method: string, path: string): BoardDeed {
  const [api, queues, ...rest] = path.split('/').filter(Boolean).map(decoded);
  const deed = api === 'api' && queues === 'queues' ? deedOf(rest) : undefined;
  return deed ?? { action: 'board', target: `${method} ${path}`, count: null };
}

function deedOf([first, second, third, fourth]: readonly string[]): BoardDeed | undefined {
  if (first === undefined || fourth !== undefined) return undefined;
  if (second === undefined) return { action: first, target: 'every queue', count: null };
  if (third === undefined && OF_QUEUES.has(second)) return { action: second, target: first, count: null };
  // Which jobs these were, Bull Board does not say.
  if (third === undefined) return { action: wordFor(second), target: `jobs ${first}:*`, count: null };
  if (second === 'retry' || second === 'clean') {
    return { action: wordFor(second), target: `jobs ${first}:* ${third}`, count: null };
  }
  if (second === 'job-schedulers' || second === 'rate-limit') return undefined;
  return { action: wordFor(third), target: `jobs ${first}:${second}`, count: 1 };
}

const wordFor = (action: string): string => ACTIONS.get(action) ?? action;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
