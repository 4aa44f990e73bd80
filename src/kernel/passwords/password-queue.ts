/**
 * Limits password hashing, which takes a core for a tenth of a second: few passwords are hashed at once, some wait, and
 * the rest is refused. Addresses take turns, and so do the accounts of an address.
 */
import { availableParallelism } from 'node:os';
import { addressGroup } from '../admission/address-group';
import { Fault } from '../fault';
import { Gate } from '../admission/gate';

/** The client address and account that a password is hashed for. */
export interface Requester {
  readonly address: string;
  readonly account: string;
}

/** More would starve the rest of the process, and of a small machine. */
const AT_ONCE = availableParallelism() >= 4 ? 2 : 1;
/** After this many refusals, an address gets further ones late. */
const REFUSED_AT_ONCE = 300;
/** Approximate time of one hash on a busy machine, for `Retry-After`. */
const SECONDS_EACH = 0.3;

function tooManyLogins(waiting: number, atOnce: number): Fault {
  const seconds = Math.max(1, Math.ceil((waiting * SECONDS_EACH) / atOnce));
  return new Fault('too-many', 'Too many passwords are being checked; try again later', {
    fields: { 'retry-after': seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}

export class PasswordQueue {
  readonly #gate: Gate;

  constructor(most: number, atOnce = AT_ONCE) {
    const refusal = (waiting: number) => tooManyLogins(waiting, atOnce);
    this.#gate = new Gate({ atOnce, waiting: most, crowd: 'address', refusal, refusedAtOnce: REFUSED_AT_ONCE });
  }

  run<T>({ address, account }: Requester, work: () => Promise<T>): Promise<T> {
    return this.#gate.through({ address: addressGroup(address), caller: account }, work);
  }
}
