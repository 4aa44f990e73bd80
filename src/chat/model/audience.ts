/** Who hears an event: a role, or the very users who could at the moment it was committed. */
import type { Role, User, UserId } from './user';

/**
 * `everyone` and `members` (all but guests) are looked up when the event is delivered, so they are only for events that
 * anyone of that role may see. Whatever is not for all of them names its users.
 */
export type Audience = 'everyone' | 'members' | readonly UserId[];

/** As it lies in the log: a role, a short list, or for many users one bit each. */
export type EncodedAudience = 'everyone' | 'members' | readonly number[] | { readonly bits: string };

/** Below this a list of numbers is shorter than the bits. */
const FEW = 32;

export function encodeAudience(audience: Audience): EncodedAudience {
  if (typeof audience === 'string' || audience.length <= FEW) return audience;
  const bits = new Uint8Array(Math.floor(audience.reduce((most, id) => Math.max(most, id), 0) / 8) + 1);
  for (const id of audience) bits[id >> 3]! |= 1 << (id & 7);
  return { bits: Buffer.from(bits).toString('base64') };
}

export interface Hearer {
  readonly id: UserId;
  readonly role: Role;
}

/** A test for membership that costs the same however many there are. */
export function audienceTest(audience: EncodedAudience): (user: Hearer) => boolean {
  if (audience === 'everyone') return () => true;
  if (audience === 'members') return ({ role }) => role !== 'guest';
  if ('bits' in audience) {
    const bits = Buffer.from(audience.bits, 'base64');
    return ({ id }) => ((bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
  const ids = new Set<number>(audience);
  return ({ id }) => ids.has(id);
}

export const hearerOf = ({ id, role }: User): Hearer => ({ id, role });
