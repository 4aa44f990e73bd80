/** Users whom somebody has muted: their messages count as read, and nobody is told of them. */
import { badRequest } from '../faults';
import type { UserId } from './user';

export interface MutedUser {
  readonly id: UserId;
  /** When they were muted, in Unix seconds. */
  readonly timestamp: number;
}

/** Each registration lists them. */
export const MAX_MUTED_USERS = 1000;

export const cannotMuteSelf = () => badRequest('Cannot mute self');
export const userAlreadyMuted = () => badRequest('User already muted');
export const userNotMuted = () => badRequest('User is not muted');
export const tooManyMuted = () => badRequest(`Too many muted users (limit: ${MAX_MUTED_USERS})`);
