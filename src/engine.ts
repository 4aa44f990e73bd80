/** Settings of V8 for processes that serve requests. */
import { setFlagsFromString } from 'node:v8';

/**
 * V8 decides in the first seconds which objects it creates among the old ones from then on: those from places whose
 * objects outlived the first few collections. The first requests wait for MySQL and Redis, so it decides that for
 * objects of all requests, and never takes it back. Moving what they refer to took up to an eighth of a node's time.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
