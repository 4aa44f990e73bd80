/**
 * How the last calls to each far end went, in one hash of Redis that all processes share. It is advice for people: if
 * Redis loses it, the next calls write it again.
 */
import type { Kernel } from '../kernel';
import type { Keyspace } from '../redis/connections';
import { installationKey } from '../redis/keys';
import { runPipeline } from '../redis/run-pipeline';
import { maskText } from '../secrets/mask';
import type { FarEndKind } from './far-end';

type Parts = Keyspace & Pick<Kernel, 'log'>;

export interface FarEndNote {
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** Of the newest failure, even if calls succeeded since. Empty if there was none. */
  readonly error: string;
  /** When the failures since the last success began; null if the last call succeeded. */
  readonly failingSince: Date | null;
  /** How many calls failed since the last success. */
  readonly failures: number;
}

export interface FarEndKey {
  readonly kind: FarEndKind;
  readonly id: string;
}

/** A busy far end succeeds a thousand times a second. */
const NOTE_SUCCESS_MS = 2000;
const MAX_REMEMBERED = 10_000;
const MAX_ERROR_LENGTH = 300;
/** What is not listed any more and was not called for so long was removed. */
const FORGET_MS = 86_400_000;

const FIELDS = ['ok', 'bad', 'since', 'count', 'error'] as const;
type Field = (typeof FIELDS)[number];
const fieldOf = (name: Field, { kind, id }: FarEndKey): string => `${name}:${kind}:${id}`;
const hashIn = (namespace: string): string => installationKey(namespace, 'far-ends');

/** When this process last noted a success, by far end. */
const noted = new WeakMap<Keyspace['redis'], Map<string, number>>();

function notedBy({ redis }: Keyspace): Map<string, number> {
  const known = noted.get(redis) ?? new Map<string, number>();
  if (known.size > MAX_REMEMBERED) known.clear();
  noted.set(redis, known);
  return known;
}

export interface CallEnding {
  /** Undefined if the call succeeded. */
  readonly error?: string | undefined;
  /** Whether the call before it failed, as far as the caller knows: then this success is news. */
  readonly wasFailing?: boolean;
}

/** Records how a call ended. Never throws: it must not change the outcome of the call. */
export async function noteFarEnd(kernel: Parts, key: FarEndKey, { error, wasFailing }: CallEnding): Promise<void> {
  const known = notedBy(kernel);
  const place = `${key.kind} ${key.id}`;
  const now = Date.now();
  if (error === undefined && wasFailing !== true && now - (known.get(place) ?? 0) < NOTE_SUCCESS_MS) return;
  if (error === undefined) known.set(place, now);
  else known.delete(place);
  try {
    await (error === undefined ? writeSuccess(kernel, key, now) : writeFailure(kernel, key, { error, now }));
  } catch (cause) {
    known.delete(place);
    kernel.log.warn({ error: cause, ...key }, 'could not note how a call to another server ended');
  }
}

async function writeSuccess({ redis, namespace }: Keyspace, key: FarEndKey, now: number): Promise<void> {
  const hash = hashIn(namespace);
  const pipeline = redis.commands.pipeline();
  pipeline.hset(hash, fieldOf('ok', key), now);
  pipeline.hdel(hash, fieldOf('since', key), fieldOf('count', key));
  await runPipeline(pipeline);
}

async function writeFailure(
  { redis, namespace }: Keyspace,
  key: FarEndKey,
  { error, now }: { readonly error: string; readonly now: number },
): Promise<void> {
  const hash = hashIn(namespace);
  const said = maskText(error).slice(0, MAX_ERROR_LENGTH);
  const pipeline = redis.commands.pipeline();
  pipeline.hset(hash, fieldOf('bad', key), now, fieldOf('error', key), said);
  pipeline.hsetnx(hash, fieldOf('since', key), now);
  pipeline.hincrby(hash, fieldOf('count', key), 1);
  await runPipeline(pipeline);
}

/** The notes about these far ends, in their order. Notes about others that are long gone are deleted. */
export async function readFarEndNotes(kernel: Keyspace, keys: readonly FarEndKey[]): Promise<FarEndNote[]> {
  const hash = hashIn(kernel.namespace);
  const all = await kernel.redis.commands.hgetall(hash);
  const known = new Set(keys.map(({ kind, id }) => `${kind}:${id}`));
  const gone = Object.keys(all).filter((field) => !known.has(afterColon(field)) && isLongAgo(all, afterColon(field)));
  if (gone.length > 0) await kernel.redis.commands.hdel(hash, ...gone);
  return keys.map((key) => noteOf((name) => all[fieldOf(name, key)]));
}

const afterColon = (field: string): string => field.slice(field.indexOf(':') + 1);

function isLongAgo(all: Readonly<Record<string, string>>, key: string): boolean {
  const newest = Math.max(Number(all[`ok:${key}`] ?? 0), Number(all[`bad:${key}`] ?? 0));
  return Date.now() - newest > FORGET_MS;
}

function noteOf(read: (name: Field) => string | undefined): FarEndNote {
  const dateOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(Number(text)));
  return {
    succeededAt: dateOf(read('ok')),
    failedAt: dateOf(read('bad')),
    error: read('error') ?? '',
    failingSince: dateOf(read('since')),
    failures: Number(read('count') ?? 0),
  };
}
