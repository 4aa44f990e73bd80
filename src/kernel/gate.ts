/** Shares out places for expensive work: callers take turns, one caller's crowd waits behind itself and is then refused. */
import { Counts } from './counts';
import { Fault } from './fault';
import { SlowRefusals } from './slow-refusals';

export interface GateRule {
  readonly atOnce: number;
  /** Of one caller. */
  readonly callerAtOnce: number;
  /** Waiting in all; more are refused, the last of the largest crowd first. */
  readonly waiting: number;
  /** Waiting of one caller; more are refused. */
  readonly callerWaiting: number;
  readonly waitMs: number;
}

/** Of the connections to MySQL: those who do anything else must find one free. */
const SHARE = 0.4;

/** One caller never has all the places, so that another caller's next request finds one soon. */
export function fairRule(mysqlConnections: number): GateRule {
  const atOnce = Math.max(2, Math.floor(mysqlConnections * SHARE));
  return { atOnce, callerAtOnce: atOnce - 1, waiting: 1000, callerWaiting: 100, waitMs: 10_000 };
}

/** Who asks. Addresses take turns, and callers take turns within their address. */
export interface Party {
  readonly caller: string;
  readonly address: string;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
}

/** Clients that came together must not come again together. */
const LATER_SECONDS = 5;

export const comeLater = (message = 'Too many are asking for this at once; try again'): Fault =>
  new Fault('unavailable', message, {
    headers: { 'Retry-After': String(1 + Math.floor(Math.random() * LATER_SECONDS)) },
  });

interface Waiter {
  readonly party: Party;
  /** Its turn among the callers of its address. */
  readonly start: number;
  enter(): void;
  refuse(): void;
}

/** Those who wait from one address. Turns are virtual times: the smallest is next. */
interface Line {
  readonly waiters: Set<Waiter>;
  readonly callerTurns: Map<string, number>;
  turn: number;
  callersNow: number;
}

export class Gate {
  readonly #rule: GateRule;
  readonly #lines = new Map<string, Line>();
  readonly #insideOf = new Counts();
  readonly #waitingOf = new Counts();
  #turn = 0;
  readonly #refusals = new SlowRefusals(0);

  constructor(rule: GateRule) {
    this.#rule = rule;
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

  #hasPlace({ caller }: Party): boolean {
    return this.#insideOf.total < this.#rule.atOnce && this.#insideOf.of(caller) < this.#rule.callerAtOnce;
  }

  #wait(party: Party): Promise<void> {
    const { waiting, callerWaiting, waitMs } = this.#rule;
    if (this.#waitingOf.of(party.caller) >= callerWaiting) return this.#refusals.refuse(comeLater(), party.address);
    if (this.#waitingOf.total >= waiting && !this.#shorten(party))
      return this.#refusals.refuse(comeLater(), party.address);
    return new Promise((resolve, reject) => {
      const line = this.#lineOf(party.address);
      const start = Math.max(line.callersNow, line.callerTurns.get(party.caller) ?? 0);
      line.callerTurns.set(party.caller, start + 1);
      const leave = () => {
        clearTimeout(timer);
        this.#leave(line, waiter);
      };
      const waiter: Waiter = {
        party,
        start,
        enter: () => {
          leave();
          this.#insideOf.add(party.caller, 1);
          resolve();
        },
        refuse: () => {
          leave();
          line.callerTurns.set(party.caller, line.callerTurns.get(party.caller)! - 1);
          reject(comeLater());
        },
      };
      const timer = setTimeout(() => waiter.refuse(), waitMs);
      line.waiters.add(waiter);
      this.#waitingOf.add(party.caller, 1);
    });
  }

  #lineOf(address: string): Line {
    let line = this.#lines.get(address);
    if (!line) {
      line = { waiters: new Set(), callerTurns: new Map(), turn: this.#turn, callersNow: 0 };
      this.#lines.set(address, line);
    }
    return line;
  }

  #leave(line: Line, waiter: Waiter): void {
    line.waiters.delete(waiter);
    this.#waitingOf.add(waiter.party.caller, -1);
    if (line.waiters.size === 0) this.#lines.delete(waiter.party.address);
  }

  #letNextIn(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.waiter.party.isGone()) next.waiter.refuse();
      else {
        this.#turn = next.line.turn;
        next.line.turn += 1;
        next.line.callersNow = next.waiter.start;
        next.waiter.enter();
      }
    }
  }

  #next(): { line: Line; waiter: Waiter } | undefined {
    let best: { line: Line; waiter: Waiter } | undefined;
    for (const line of this.#lines.values()) {
      if (best && line.turn >= best.line.turn) continue;
      const waiter = this.#nextOf(line);
      if (waiter) best = { line, waiter };
    }
    return best;
  }

  #nextOf(line: Line): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of line.waiters) {
      if ((!best || waiter.start < best.start) && this.#hasPlace(waiter.party)) best = waiter;
    }
    return best;
  }

  /** Makes room for a caller who has fewer waiting than the largest crowd; says whether there is room. */
  #shorten({ caller }: Party): boolean {
    const crowd = this.#waitingOf.largest();
    if (this.#waitingOf.of(caller) + 1 >= this.#waitingOf.of(crowd)) return false;
    const all = [...this.#lines.values()].flatMap(({ waiters }) => [...waiters]);
    all.findLast(({ party }) => party.caller === crowd)?.refuse();
    return true;
  }
}
