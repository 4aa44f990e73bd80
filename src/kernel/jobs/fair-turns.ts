/**
 * In which order tenants' jobs of a queue are taken: by turns. Each further job of a tenant that waits has a later turn,
 * so that a job of another tenant comes after one job of each, and not after a backlog. The number of its turn is a job's
 * priority in BullMQ; jobs of nobody have none, and come first.
 */
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { readScript, runScript } from '../actor/script';
import { installationKey } from '../redis/keys';

/** The greatest that BullMQ takes. Turns that reach it are first come, first served until the queue is empty. */
const LAST_TURN = 2 ** 21 - 1;
/** A queue that nobody has put anything into for so long begins anew. */
const REMEMBERED_MS = 3_600_000;

const numberTurns = readScript(join(__dirname, 'number-turns.lua'));
const noteTurn = readScript(join(__dirname, 'note-turn.lua'));

const keyOf = (namespace: string, queue: string): string => installationKey(namespace, `turns:${queue}`);

/** The turns of jobs, given whose each is, in the order of the jobs; undefined where it is nobody's. */
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

/** What a worker tells of a queue's turns. Nobody waits for it: were it lost, later jobs would come a little too early. */
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

  /** Nothing waits any more: turns begin anew. */
  begin(): void {
    if (!this.#isAnyNoted) return;
    this.#isAnyNoted = false;
    this.#redis.del(this.#key).catch(() => {});
  }
}
