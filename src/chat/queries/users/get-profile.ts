/** A user's own profile. */
import type { Kernel } from '../../../kernel/kernel';
import type { User } from '../../model/users/user';
import { profile } from '../../model/wire';
import * as ownProfile from '../../store/users/own-profile';

export async function getProfile(kernel: Kernel, by: User): Promise<Record<string, unknown>> {
  const { lastMessage, answers } = await ownProfile.of(kernel.mysql, by);
  return { ...profile(by, lastMessage), profile_data: answers };
}
