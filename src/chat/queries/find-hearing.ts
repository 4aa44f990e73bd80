/** A stream with those who hear it, kept by its version: a send checks the version in its commit, so no copy can be stale. */
import { Cache, textBytes } from '../../kernel/cache';
import type { Kernel } from '../../kernel/kernel';
import { readSnapshot } from '../../kernel/mysql/snapshot';
import { perKernel } from '../../kernel/per-kernel';
import { encodeAudience } from '../model/audience';
import { messageLead } from '../model/message-event';
import type { RealmId } from '../model/realm';
import type { Stream } from '../model/stream';
import type { UserId } from '../model/user';
import * as streams from '../store/streams';
import * as subscriptions from '../store/subscriptions';

export interface Hearing {
  readonly stream: Stream;
  readonly hearers: ReadonlySet<UserId>;
  /** How the entries of its messages begin: written once, not once per message. */
  readonly lead: string;
}

/** A member of a set of numbers, about. */
const HEARER_BYTES = 32;
const BOUNDS = {
  entries: 2000,
  bytes: 32 * 1024 * 1024,
  weigh: ({ hearers, lead, stream }: Hearing) =>
    1000 + HEARER_BYTES * hearers.size + textBytes(lead) + textBytes(stream.renderedDescription),
};
const kept = perKernel(() => new Cache<string, Hearing>(BOUNDS));

const keyOf = (realmId: RealmId, name: string | number) =>
  `${realmId}/${typeof name === 'number' ? `#${name}` : name.toLowerCase()}`;

/** If it is there already. */
export const heldHearing = (kernel: Kernel, realmId: RealmId, name: string | number): Hearing | undefined =>
  kept(kernel).get(keyOf(realmId, name));

export async function findHearing(
  kernel: Kernel,
  realmId: RealmId,
  name: string | number,
): Promise<Hearing | undefined> {
  const known = heldHearing(kernel, realmId, name);
  if (known) return known;
  // Version and hearers from one snapshot: READ COMMITTED would give each statement its own.
  const hearing = await readSnapshot(kernel.mysql, async (db) => {
    const find = typeof name === 'number' ? streams.byId(db, realmId, name) : streams.byName(db, realmId, name);
    const stream = await find;
    if (!stream) return undefined;
    const hearers = await subscriptions.hearers(db, stream.id);
    return { stream, hearers: new Set(hearers), lead: messageLead(encodeAudience(hearers)) };
  });
  if (hearing) kept(kernel).set(keyOf(realmId, name), hearing);
  return hearing;
}

export function forgetHearing(kernel: Kernel, realmId: RealmId, name: string | number): void {
  kept(kernel).delete(keyOf(realmId, name));
}
