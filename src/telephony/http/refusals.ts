/** Refusals that every route may give, for the OpenAPI document. Each route lists its own. */
import { Fault } from '../../kernel/fault';
import type { RouteFacts } from '../../kernel/http/route';
import * as faults from '../model/faults';

export const pbxFailed = () => new Fault('upstream', 'The PBX answered 500; nothing was done');
export const notAnswered = () => new Fault('timeout', 'No answer in time; it may still be done');
export const busy = () => new Fault('unavailable', 'The server is busy or restarting; try again');
const noSuch = () => new Fault('missing', 'There is no such thing in this company');

/** A path with an id may always answer "not found", even if the route declares no such refusal. */
export function refusalsOf({ path, authenticated, refuses }: RouteFacts): readonly Fault[] {
  const isMissingListed = refuses.some(({ kind }) => kind === 'missing');
  const own = path.includes(':') && !isMissingListed ? [...refuses, noSuch()] : refuses;
  const callers = authenticated ? [faults.keyRequired(), faults.invalidKey(), faults.unknownUser()] : [];
  return [...callers, ...own, busy()];
}
