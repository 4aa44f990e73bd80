/**
 * Hashing a password takes a core for a tenth of a second: few are hashed at once, some wait, the rest is refused at
 * once. Addresses take turns, and in an address its accounts. Where the queue is full, whoever has much in it makes room
 * for whoever has less.
 */
import { availableParallelism } from 'node:os';
import { addressGroup } from './address-group';
import { Fault } from './fault';
import { SlowRefusals } from './slow-refusals';

/** On whose behalf a password is hashed. */
export interface Asker {
  readonly address: string;
  readonly account: string;
}

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (fault: Fault) => void;
}

type Accounts = Map<string, Waiting[]>;

/** More would starve everything else of the process, and of a small machine. */
const AT_ONCE = availableParallelism() >= 4 ? 2 : 1;
/** An address that goes on after so many refusals is told late. */
const REFUSED_AT_ONCE = 300;
/** What one takes on a busy machine, about: for the time after which to come again. */
const SECONDS_EACH = 0.3;

const tooManyLogins = (waiting: number, atOnce: number): Fault => {
  const seconds = Math.max(1, Math.ceil((waiting * SECONDS_EACH) / atOnce));
  return new Fault('too-many', 'Too many passwords are being checked; try again later', {
    fields: { 'retry-after': seconds },
    headers: { 'Retry-After': String(seconds) },
  });
};

export class PasswordQueue {
  readonly #most: number;
  readonly #atOnce: number;
  /** In the order of their turns, of addresses as of the accounts in each. */
  readonly #addresses = new Map<string, Accounts>();
  readonly #refusals = new SlowRefusals(REFUSED_AT_ONCE);
  #waiting = 0;
  #running = 0;

  constructor(most: number, atOnce = AT_ONCE) {
    this.#most = most;
    this.#atOnce = atOnce;
  }

  async run<T>({ address, account }: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait(addressGroup(address), account);
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next) next.enter();
      else this.#running -= 1;
    }
  }

  #wait(address: string, account: string): Promise<void> {
    if (this.#waiting >= this.#most && !this.#makeRoom(address, account)) {
      return this.#refusals.refuse(tooManyLogins(this.#waiting, this.#atOnce), address);
    }
    return new Promise((resolve, reject) => {
      let accounts = this.#addresses.get(address);
      if (!accounts) this.#addresses.set(address, (accounts = new Map()));
      let line = accounts.get(account);
      if (!line) accounts.set(account, (line = []));
      line.push({ enter: resolve, refuse: reject });
      this.#waiting += 1;
    });
  }

  /** Takes the next one out, and puts its address and its account behind the others. */
  #next(): Waiting | undefined {
    const [first] = this.#addresses;
    if (!first) return undefined;
    const [address, accounts] = first;
    const [[account, line]] = [...accounts] as [[string, Waiting[]]];
    const next = line.shift()!;
    this.#waiting -= 1;
    accounts.delete(account);
    if (line.length > 0) accounts.set(account, line);
    this.#addresses.delete(address);
    if (accounts.size > 0) this.#addresses.set(address, accounts);
    return next;
  }

  /** Refuses the newest of the fullest address, or of the fullest account of the same, if the newcomer has less there. */
  #makeRoom(address: string, account: string): boolean {
    const own: Accounts = this.#addresses.get(address) ?? new Map();
    const [fullest, accounts] = largest(this.#addresses, countOf);
    const isOther = countOf(accounts) >= countOf(own) + 2;
    const [from, crowd] = isOther ? [fullest, accounts] : [address, own];
    if (crowd.size === 0) return false;
    const [name, line] = largest(crowd, ({ length }) => length);
    if (!isOther && line.length < (own.get(account)?.length ?? 0) + 2) return false;
    line.pop()!.refuse(tooManyLogins(this.#waiting, this.#atOnce));
    this.#waiting -= 1;
    if (line.length === 0) crowd.delete(name);
    if (crowd.size === 0) this.#addresses.delete(from);
    return true;
  }
}

const countOf = (accounts: Accounts): number => [...accounts.values()].reduce((sum, { length }) => sum + length, 0);

function largest<K, V>(all: ReadonlyMap<K, V>, sizeOf: (value: V) => number): [K, V] {
  return [...all].reduce((most, each) => (sizeOf(each[1]) > sizeOf(most[1]) ? each : most));
}
