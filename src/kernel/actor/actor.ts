/**
 * An actor is an address, one writer at a time, and messages. `defineActor` names the messages of one whose state lies
 * in Redis: each is a Lua script (script-turn.ts). The other kind is a mailbox (../mailbox/). Nothing lives in memory:
 * a reference costs nothing, any node may make one, and the actor exists whether or not anybody sends to it.
 */
import type { Kernel } from '../kernel';
import type { Address, Tenant } from './address';

/** One kind of message: how its turn is taken. */
export interface Turn<Input, Output> {
  take(kernel: Kernel, address: Address, input: Input): Promise<Output>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- only `any` accepts every turn and keeps its types
type Turns = Readonly<Record<string, Turn<any, any>>>;
type InputOf<T> = T extends Turn<infer Input, unknown> ? Input : never;
type OutputOf<T> = T extends Turn<never, infer Output> ? Output : never;

export interface Ref<T extends Turns> {
  readonly address: Address;
  /** Sends a message and waits for the end of its turn, wherever that runs. */
  request<Name extends keyof T>(name: Name, input: InputOf<T[Name]>): Promise<OutputOf<T[Name]>>;
}

export interface Actor<T extends Turns> {
  readonly kind: string;
  readonly turns: T;
  at(kernel: Kernel, tenant: Tenant, id?: string): Ref<T>;
}

export function defineActor<const T extends Turns>(kind: string, turns: T): Actor<T> {
  return {
    kind,
    turns,
    at(kernel, tenant, id = '') {
      const address: Address = { tenant, kind, id };
      return { address, request: (name, input) => turns[name]!.take(kernel, address, input) };
    },
  };
}
