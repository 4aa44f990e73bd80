/**
 * Fair order of a queue's jobs: tenants take turns. Each further waiting job of a tenant gets a later turn, so another
 * tenant's job comes after one job of each tenant, not after a whole backlog. The turn is the job's BullMQ priority.
 * Jobs without a tenant have no priority and come first.
 */
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { readScript, runScript } from '../actor/script';
import { installationKey } from '../redis/keys';

/** BullMQ's highest priority. Turns that reach it are first come, first served until the queue is empty. */
const LAST_TURN = 2 ** 21 - 1;
/** A queue that gets no job for this long starts over. */
const REMEMBERED_MS = 3_600_000;

const numberTurns = readScript(join(__dirname, 'number-turns.lua'));
const noteTurn = readScript(join(__dirname, 'note-turn.lua'));

const keyOf = (namespace: string, queue: string): string => installationKey(namespace, `turns:${queue}`);

/** The turn of each job, given the jobs' tenants in order; undefined for a job without one. */
export async function turnsOf(
  { redis, namespace }: { readonly redis: Redis; readonly namespace: string },
  queue: string,
  groups: readonly (string | undefined)[],
): Promise<(number | undefined)[]> {
  const named = groups.filter((group) => group !== undefined);
  if (named.length === 0) return groups.map(() => undefined);
  const values = [LAST_TURN, REMEMBERED_MS, ...named];
  const turns = (await runScript(redis, numberTurns, [keyOf(namespace, queue)], values)) as number[];
  let next = 0;
  return groups.map((group) => (group === undefined ? undefined : turns[next++]));
}

/** Reports the turns that a worker takes. Nobody waits for it: if it is lost, later jobs come a little too early. */
export class TurnsTaken {
  readonly #redis: Redis;
  readonly #key: string;
  #isAnyNoted = false;

  constructor(redis: Redis, namespace: string, queue: string) {
    this.#redis = redis;
    this.#key = keyOf(namespace, queue);
  }

  note(turn: number | undefined): void {
    if (turn === undefined) return;
    this.#isAnyNoted = true;
    runScript(this.#redis, noteTurn, [this.#key], [turn]).catch(() => {});
  }

  /** The queue is empty: turns start over. */
  begin(): void {
    if (!this.#isAnyNoted) return;
    this.#isAnyNoted = false;
    this.#redis.del(this.#key).catch(() => {});
  }
}
