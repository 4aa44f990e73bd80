/**
 * An actor is an address, one writer at a time, and messages. `defineActor` names the messages of one whose state lies
 * in Redis: each is a Lua script, which Redis runs atomically; for small state that may expire. The other kind is a
 * mailbox (../mailbox/). Nothing lives in memory: an address costs nothing, any node may make one, and the actor exists
 * whether or not anybody sends to it.
 */
import type { Redis } from 'ioredis';
import type { Keyspace } from '../redis/connections';
import { redisKey, type Address, type Tenant } from './address';
import { readScript, runScript } from './script';

/** One kind of message: how its turn is taken. */
export interface Turn<Input, Output> {
  take(parts: Keyspace, address: Address, input: Input): Promise<Output>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- only `any` accepts every turn and keeps its types
type Turns = Readonly<Record<string, Turn<any, any>>>;
type InputOf<T> = T extends Turn<infer Input, unknown> ? Input : never;
type OutputOf<T> = T extends Turn<never, infer Output> ? Output : never;

export interface ActorAt<T extends Turns> {
  readonly address: Address;
  /** Sends a message and waits for the end of its turn. */
  request<Name extends keyof T>(parts: Keyspace, name: Name, input: InputOf<T[Name]>): Promise<OutputOf<T[Name]>>;
}

export interface Actor<T extends Turns> {
  readonly kind: string;
  readonly turns: T;
  at(tenant: Tenant, id?: string): ActorAt<T>;
}

export function defineActor<const T extends Turns>(kind: string, turns: T): Actor<T> {
  return {
    kind,
    turns,
    at(tenant, id = '') {
      const address: Address = { tenant, kind, id };
      return { address, request: (parts, name, input) => turns[name]!.take(parts, address, input) };
    },
  };
}

export interface ScriptTurn<Input, Output> {
  /** Path of the Lua file. Its first key is always the actor's own. */
  readonly lua: string;
  /** Suffixes of further keys, appended to the actor's own. */
  readonly besides?: readonly string[];
  /** Keys of other actors of the same tenant that the turn also uses. */
  also?(input: Input, own: Address): readonly Address[];
  values(input: Input, own: { key: string; namespace: string }): readonly (string | number)[];
  /** Whether it publishes something that this process itself subscribes to. */
  readonly pushes?: boolean;
  /** Interprets the script's reply. */
  outcome(reply: unknown): Output;
}

export function scriptTurn<Input, Output>(turn: ScriptTurn<Input, Output>): Turn<Input, Output> {
  const script = readScript(turn.lua);
  return {
    async take({ namespace, redis }, address, input) {
      const key = redisKey(namespace, address);
      const also = (turn.also?.(input, address) ?? []).map((other) => redisKey(namespace, other));
      const keys = [key, ...(turn.besides ?? []).map((ending) => `${key}:${ending}`), ...also];
      const values = turn.values(input, { key, namespace });
      const run = (on: Redis) => runScript(on, script, keys, values);
      return turn.outcome(await (turn.pushes ? redis.push(run) : run(redis.commands)));
    },
  };
}
