/** A turn that is one Lua script: Redis runs one at a time, all of it or nothing. For small state that may expire. */
import type { Turn } from './actor';
import { redisKey, type Address } from './address';
import { readScript, runScript } from './script';

export interface ScriptTurn<Input, Output> {
  /** Path of the Lua file. Its first key is always the actor's own. */
  readonly lua: string;
  /** Further keys, by the ending that is put to the actor's own. */
  readonly besides?: readonly string[];
  /** Keys of other actors of the same tenant that the turn also touches. */
  also?(input: Input, own: Address): readonly Address[];
  values(input: Input, own: { key: string; namespace: string }): readonly (string | number)[];
  /** What the script's reply means. */
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
      return turn.outcome(await runScript(kernel.redis.commands, script, keys, values));
    },
  };
}
