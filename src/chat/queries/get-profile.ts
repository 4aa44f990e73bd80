/** A user's own profile. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import { profile } from '../model/wire';
import * as messages from '../store/messages';
import * as profiles from '../store/profile-fields';

export async function getProfile(kernel: Kernel, by: User): Promise<Record<string, unknown>> {
  const last = await messages.lastBy(kernel.mysql, by.realmId, by.id);
  return { ...profile(by, last), profile_data: await profiles.answersOf(kernel.mysql, by.id) };
}
