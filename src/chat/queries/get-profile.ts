/** A user's own profile. */
import type { User } from '../model/user';
import { profile } from '../model/wire';

/** No message has been sent by anyone before messages exist. */
const NO_MESSAGE = -1;

export function getProfile(by: User): Promise<Record<string, unknown>> {
  return Promise.resolve(profile(by, NO_MESSAGE));
}
