/** Who showed which credentials a moment ago, so that a poll need not ask MySQL again. A change of access forgets them. */
import { BoundedMap } from '../../kernel/bounded-map';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { User, UserId } from '../model/user';

/** Should word of a change not arrive, this is how long the old access lasts. */
const MOMENT_MS = 3000;
const MOST_KEPT = 50_000;

interface Recent {
  readonly user: User;
  readonly at: number;
}

const kept = perKernel(() => new BoundedMap<string, Recent>(MOST_KEPT));
const headersOf = perKernel(() => new Map<UserId, Set<string>>());

export function recallCaller(kernel: Kernel, header: string): User | undefined {
  const recent = kept(kernel).get(header);
  return recent && Date.now() - recent.at < MOMENT_MS ? recent.user : undefined;
}

export function rememberCaller(kernel: Kernel, header: string, user: User): void {
  kept(kernel).set(header, { user, at: Date.now() });
  const headers = headersOf(kernel).get(user.id);
  if (headers) headers.add(header);
  else headersOf(kernel).set(user.id, new Set([header]));
}

export function forgetCaller(kernel: Kernel, userId: UserId): void {
  for (const header of headersOf(kernel).get(userId) ?? []) kept(kernel).delete(header);
  headersOf(kernel).delete(userId);
}
