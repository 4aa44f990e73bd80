/**
 * The one semaphore: it admits a limited amount of work, and the rest waits. Addresses take turns, and callers take turns
 * within their address. A crowd waits behind itself, and makes room for others when the line is full.
 */
import { Counts } from './counts';
import { Fault } from './fault';
import { GateLines, type Waiter } from './gate-lines';
import { SlowRefusals } from './slow-refusals';

export interface GateRule {
  readonly atOnce: number;
  /** Of one caller; all places unless it says less. */
  readonly callerAtOnce?: number;
  /** Waiting in all. More are refused: the newcomer, or the newest of a crowd. */
  readonly waiting: number;
  /** Waiting of one caller; more are refused. */
  readonly callerWaiting?: number;
  /** The longest wait; without it everybody waits until there is a place. */
  readonly waitMs?: number;
  /** What a crowd is in a full line: the waiters of one caller, or those of one address. */
  readonly crowd?: 'caller' | 'address';
  /** The error of those who are refused, by how many wait. */
  readonly refusal?: (waiting: number) => Error;
  /** How often in ten seconds each address is refused at once; after that a second late. Always late without it. */
  readonly refusedAtOnce?: number;
}

/** Of the connections to MySQL: those who do anything else must find one free. */
const SHARE = 0.4;

/** One caller never has all the places, so that another caller's next request finds one soon. */
export function fairRule(mysqlConnections: number): GateRule & { readonly callerAtOnce: number } {
  const atOnce = Math.max(2, Math.floor(mysqlConnections * SHARE));
  return { atOnce, callerAtOnce: atOnce - 1, waiting: 1000, callerWaiting: 100, waitMs: 10_000 };
}

/** Who asks. */
export interface Party {
  readonly caller: string;
  readonly address: string;
  /** Whether nobody waits for the answer any more. */
  isGone?(): boolean;
}

/** For work that is nobody's in particular: first come, first served. */
export const ANYBODY: Party = { caller: '', address: '' };

/** Clients that came together must not come again together. */
const LATER_SECONDS = 5;

export const comeLater = (message = 'Too many are asking for this at once; try again'): Fault =>
  new Fault('unavailable', message, {
    headers: { 'Retry-After': String(1 + Math.floor(Math.random() * LATER_SECONDS)) },
  });

export class Gate {
  readonly #rule: Required<GateRule>;
  readonly #lines = new GateLines();
  readonly #insideOf = new Counts();
  readonly #refusals: SlowRefusals;

  constructor(rule: GateRule) {
    this.#rule = {
      callerAtOnce: rule.atOnce,
      callerWaiting: Infinity,
      waitMs: Infinity,
      crowd: 'caller',
      refusal: () => comeLater(),
      refusedAtOnce: 0,
      ...rule,
    };
    this.#refusals = new SlowRefusals(this.#rule.refusedAtOnce);
  }

  async through<T>(party: Party, work: () => Promise<T>): Promise<T> {
    if (this.#hasPlace(party)) this.#insideOf.add(party.caller, 1);
    else await this.#wait(party);
    try {
      return await work();
    } finally {
      this.#insideOf.add(party.caller, -1);
      this.#letNextIn();
    }
  }

  /** Refuses all who wait. Those who are inside finish. */
  close(error: Error): void {
    for (const waiter of this.#lines.all()) waiter.refuse(error);
  }

  #hasPlace({ caller }: Party): boolean {
    return this.#insideOf.total < this.#rule.atOnce && this.#insideOf.of(caller) < this.#rule.callerAtOnce;
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
          this.#insideOf.add(party.caller, 1);
          resolve();
        },
        refuse: (error = this.#refusal()) => {
          leave(false);
          reject(error);
        },
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(() => waiter.refuse(), waitMs);
      this.#lines.join(waiter);
    });
  }

  #refusal(): Error {
    return this.#rule.refusal(this.#lines.waiting);
  }

  #refuse({ address }: Party): Promise<never> {
    return this.#refusals.refuse(this.#refusal(), address);
  }

  /** Refuses the newest of a crowd; says whether there was one. */
  #makeRoom(party: Party): boolean {
    const newest = this.#lines.newestOfCrowd(party, this.#rule.crowd);
    newest?.refuse();
    return newest !== undefined;
  }

  #letNextIn(): void {
    const hasPlace = (party: Party) => this.#hasPlace(party);
    for (let next = this.#lines.next(hasPlace); next; next = this.#lines.next(hasPlace)) {
      if (next.party.isGone?.()) next.refuse();
      else next.enter();
    }
  }
}
