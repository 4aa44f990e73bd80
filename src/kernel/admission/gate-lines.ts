/** The callers that wait at a gate, in one line per address: decides who is next, and who is refused at a full line. */
import { Counts } from './counts';
import type { Party } from './gate';

export interface Waiter {
  readonly party: Party;
  /** Its turn among the callers of its address, assigned when it joins. */
  start: number;
  enter(): void;
  refuse(error?: Error): void;
}

/** The waiting callers of one address. Turns are virtual times: the smallest is next. */
interface Line {
  readonly waiters: Set<Waiter>;
  /** How many waiters each caller has. */
  readonly callers: Counts;
  readonly callerTurns: Map<string, number>;
  turn: number;
  callersNow: number;
}

export class GateLines {
  readonly #lines = new Map<string, Line>();
  readonly #waitingOf = new Counts();
  #turn = 0;

  get waiting(): number {
    return this.#waitingOf.total;
  }

  waitingOf(caller: string): number {
    return this.#waitingOf.of(caller);
  }

  all(): Waiter[] {
    return [...this.#lines.values()].flatMap(({ waiters }) => [...waiters]);
  }

  join(waiter: Waiter): void {
    const { caller, address } = waiter.party;
    const line = this.#lines.get(address) ?? this.#open(address);
    waiter.start = Math.max(line.callersNow, line.callerTurns.get(caller) ?? 0);
    line.callerTurns.set(caller, waiter.start + 1);
    line.waiters.add(waiter);
    line.callers.add(caller, 1);
    this.#waitingOf.add(caller, 1);
  }

  /** A waiter that was not served gives its turn back to its caller. */
  leave(waiter: Waiter, isServed: boolean): void {
    const { caller, address } = waiter.party;
    const line = this.#lines.get(address)!;
    line.waiters.delete(waiter);
    line.callers.add(caller, -1);
    this.#waitingOf.add(caller, -1);
    if (isServed) {
      this.#turn = line.turn;
      line.turn += 1;
      line.callersNow = waiter.start;
    } else line.callerTurns.set(caller, line.callerTurns.get(caller)! - 1);
    if (line.waiters.size === 0) this.#lines.delete(address);
  }

  /** The next waiter that may enter. */
  next(mayEnter: (party: Party) => boolean): Waiter | undefined {
    let best: { readonly turn: number; readonly waiter: Waiter } | undefined;
    for (const { turn, waiters } of this.#lines.values()) {
      if (best && turn >= best.turn) continue;
      const waiter = firstOf(waiters, mayEnter);
      if (waiter) best = { turn, waiter };
    }
    return best?.waiter;
  }

  /** The waiter to refuse for a newcomer: the newest of a caller or address that has at least two more waiting. */
  newestOfCrowd(newcomer: Party, by: 'caller' | 'address'): Waiter | undefined {
    return by === 'caller' ? this.#newestOfLargestCaller(newcomer) : this.#newestOfFullestAddress(newcomer);
  }

  #newestOfLargestCaller({ caller }: Party): Waiter | undefined {
    const crowd = this.#waitingOf.largest();
    return this.#waitingOf.of(crowd) < this.#waitingOf.of(caller) + 2 ? undefined : newestOf(crowd, this.all());
  }

  /** If no other address has two more waiting, the callers of the newcomer's own address are compared. */
  #newestOfFullestAddress({ address, caller }: Party): Waiter | undefined {
    const own = this.#lines.get(address);
    const fullest = this.#fullest();
    const isOther = fullest !== undefined && fullest.waiters.size >= (own?.waiters.size ?? 0) + 2;
    const line = isOther ? fullest : own;
    if (!line) return undefined;
    const crowd = line.callers.largest();
    if (!isOther && line.callers.of(crowd) < line.callers.of(caller) + 2) return undefined;
    return newestOf(crowd, [...line.waiters]);
  }

  #fullest(): Line | undefined {
    let fullest: Line | undefined;
    for (const line of this.#lines.values()) {
      if (!fullest || line.waiters.size > fullest.waiters.size) fullest = line;
    }
    return fullest;
  }

  #open(address: string): Line {
    const line = {
      waiters: new Set<Waiter>(),
      callers: new Counts(),
      callerTurns: new Map<string, number>(),
      turn: this.#turn,
      callersNow: 0,
    };
    this.#lines.set(address, line);
    return line;
  }
}

function firstOf(waiters: ReadonlySet<Waiter>, mayEnter: (party: Party) => boolean): Waiter | undefined {
  let first: Waiter | undefined;
  for (const waiter of waiters) if ((!first || waiter.start < first.start) && mayEnter(waiter.party)) first = waiter;
  return first;
}

const newestOf = (caller: string, waiters: readonly Waiter[]): Waiter | undefined =>
  waiters.findLast(({ party }) => party.caller === caller);
