/**
 * The one semaphore: it admits a limited amount of work at once, and the rest waits. Addresses take turns, and callers
 * take turns within their address. At a full line, the newest waiter of the largest crowd is refused.
 */
import { Counts } from './counts';
import { settledWithin } from '../deadline';
import { Fault } from '../fault';
import { GateLines, type Waiter } from './gate-lines';
import { SlowRefusals } from './slow-refusals';

export interface GateRule {
  readonly atOnce: number;
  /** Places for one caller; by default all of them. */
  readonly callerAtOnce?: number;
  /** Places for one address; by default all of them. */
  readonly addressAtOnce?: number;
  /** The limits count only while another caller has come within this time. By default they always count. */
  readonly sharedMs?: number;
  /** Work that takes longer gives up its place and goes on. By default it keeps its place. */
  readonly heldMs?: number;
  /** How many may wait in all. Beyond that a waiter is refused: the newcomer, or the newest of a crowd. */
  readonly waiting: number;
  /** How many of one caller may wait; more are refused. */
  readonly callerWaiting?: number;
  /** The longest wait; by default there is no limit. */
  readonly waitMs?: number;
  /** What counts as a crowd at a full line: the waiters of one caller, or those of one address. */
  readonly crowd?: 'caller' | 'address';
  /** Makes the error of a refused caller, given how many wait. */
  readonly refusal?: (waiting: number, party: Party) => Error;
  /** How many refusals per ten seconds an address gets without delay (default 0). Further ones come late. */
  readonly refusedAtOnce?: number;
}

/** Share of the MySQL connections that the gate may occupy. The rest stays free for all other work. */
const SHARE = 0.4;

/** One caller never gets all the places, so that another caller's next request soon finds one. */
export function fairRule(mysqlConnections: number): GateRule & { readonly callerAtOnce: number } {
  const atOnce = Math.max(2, Math.floor(mysqlConnections * SHARE));
  return { atOnce, callerAtOnce: atOnce - 1, waiting: 1000, callerWaiting: 100, waitMs: 10_000 };
}

/** The caller that asks for a place. */
export interface Party {
  readonly caller: string;
  readonly address: string;
  /** Whether nobody waits for the result any more. */
  isGone?(): boolean;
}

/** For work that belongs to no caller: first come, first served. */
export const ANYBODY: Party = { caller: '', address: '' };

/** `Retry-After` is spread over these seconds, so that clients refused together do not retry together. */
const LATER_SECONDS = 5;

export const comeLater = (message = 'Too many are asking for this at once; try again'): Fault =>
  new Fault('unavailable', message, {
    headers: { 'Retry-After': String(1 + Math.floor(Math.random() * LATER_SECONDS)) },
  });

export class Gate {
  readonly #rule: Required<GateRule>;
  readonly #lines = new GateLines();
  readonly #insideOf = new Counts();
  readonly #insideAt = new Counts();
  readonly #refusals: SlowRefusals;
  readonly #now: () => number;
  #latest = { caller: '', at: -Infinity };
  /** The latest visit of any other caller. */
  #other = { caller: '', at: -Infinity };

  constructor(rule: GateRule, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#rule = {
      callerAtOnce: rule.atOnce,
      addressAtOnce: rule.atOnce,
      sharedMs: Infinity,
      heldMs: Infinity,
      callerWaiting: Infinity,
      waitMs: Infinity,
      crowd: 'caller',
      refusal: () => comeLater(),
      refusedAtOnce: 0,
      ...rule,
    };
    this.#refusals = new SlowRefusals(this.#rule.refusedAtOnce);
  }

  through<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const { sharedMs } = this.#rule;
    const isAlone = sharedMs !== Infinity && !this.#isShared(party.caller, sharedMs);
    return isAlone ? work() : this.#inTurn(party, work);
  }

  async #inTurn<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const { heldMs } = this.#rule;
    if (this.#hasPlace(party)) this.#count(party, 1);
    else await this.#wait(party);
    let done: Promise<T>;
    try {
      done = work();
      await (heldMs === Infinity ? done : settledWithin(heldMs, done));
    } finally {
      this.#count(party, -1);
      this.#letNextIn();
    }
    return done;
  }

  /** How much work of the caller is inside. */
  insideOf(caller: string): number {
    return this.#insideOf.of(caller);
  }

  /** Refuses all waiters. Work that is inside finishes. */
  close(error: Error): void {
    for (const waiter of this.#lines.all()) waiter.refuse(error);
  }

  /** Records a visit of the caller. Returns whether another caller comes too. */
  #isShared(caller: string, sharedMs: number): boolean {
    const at = this.#now();
    if (caller !== this.#latest.caller) this.#other = this.#latest;
    this.#latest = { caller, at };
    return at - this.#other.at < sharedMs;
  }

  #hasPlace({ caller, address }: Party): boolean {
    const { atOnce, callerAtOnce, addressAtOnce } = this.#rule;
    return (
      this.#insideOf.total < atOnce &&
      this.#insideOf.of(caller) < callerAtOnce &&
      this.#insideAt.of(address) < addressAtOnce
    );
  }

  #count({ caller, address }: Party, more: number): void {
    this.#insideOf.add(caller, more);
    this.#insideAt.add(address, more);
  }

  #wait(party: Party): Promise<void> {
    const { waiting, callerWaiting, waitMs } = this.#rule;
    if (this.#lines.waitingOf(party.caller) >= callerWaiting) return this.#refuse(party);
    if (this.#lines.waiting >= waiting && !this.#makeRoom(party)) return this.#refuse(party);
    return new Promise((resolve, reject) => {
      const leave = (isServed: boolean) => {
        clearTimeout(timer);
        this.#lines.leave(waiter, isServed);
      };
      const waiter: Waiter = {
        party,
        start: 0,
        enter: () => {
          leave(true);
          this.#count(party, 1);
          resolve();
        },
        refuse: (error = this.#refusal(party)) => {
          leave(false);
          reject(error);
        },
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(() => waiter.refuse(), waitMs);
      this.#lines.join(waiter);
    });
  }

  #refusal(party: Party): Error {
    return this.#rule.refusal(this.#lines.waiting, party);
  }

  #refuse(party: Party): Promise<never> {
    return this.#refusals.refuse(this.#refusal(party), party.address);
  }

  /** Refuses the newest waiter of a crowd. Returns false if there is no crowd. */
  #makeRoom(party: Party): boolean {
    const newest = this.#lines.newestOfCrowd(party, this.#rule.crowd);
    newest?.refuse();
    return newest !== undefined;
  }

  #letNextIn(): void {
    if (this.#lines.waiting === 0) return;
    const hasPlace = (party: Party) => this.#hasPlace(party);
    for (let next = this.#lines.next(hasPlace); next; next = this.#lines.next(hasPlace)) {
      if (next.party.isGone?.()) next.refuse();
      else next.enter();
    }
  }
}
