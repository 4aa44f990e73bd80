/** A private conversation with its members, kept once it exists: who takes part in it never changes. */
import { Cache } from '../../kernel/cache';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';
import { byMembers, membersKey } from '../store/recipients';

const BOUNDS = { entries: 20_000, bytes: 8 * 1024 * 1024 };
const kept = perKernel(() => new Cache<string, number>(BOUNDS));

export async function findConversation(
  kernel: Kernel,
  realmId: RealmId,
  members: readonly UserId[],
): Promise<number | undefined> {
  const key = `${realmId}/${membersKey(members)}`;
  const known = kept(kernel).get(key);
  if (known !== undefined) return known;
  const id = await byMembers(kernel.mysql, realmId, members);
  if (id !== undefined) kept(kernel).set(key, id);
  return id;
}
