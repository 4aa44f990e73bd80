/** A turn that is one Lua script, which Redis runs atomically. For small state that may expire. */
import type { Redis } from 'ioredis';
import type { Turn } from './actor';
import { redisKey, type Address } from './address';
import { readScript, runScript } from './script';

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
    async take(kernel, address, input) {
      const key = redisKey(kernel.namespace, address);
      const also = (turn.also?.(input, address) ?? []).map((other) => redisKey(kernel.namespace, other));
      const keys = [key, ...(turn.besides ?? []).map((ending) => `${key}:${ending}`), ...also];
      const values = turn.values(input, { key, namespace: kernel.namespace });
      const run = (redis: Redis) => runScript(redis, script, keys, values);
      return turn.outcome(await (turn.pushes ? kernel.redis.push(run) : run(kernel.redis.commands)));
    },
  };
}
