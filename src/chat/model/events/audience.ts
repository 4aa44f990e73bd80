/** Who hears an event: a role, or the very users who could at the moment it was committed. */
import type { Role, User, UserId } from '../users/user';

/**
 * `everyone` and `members` (all but guests) are looked up when the event is delivered, so they are only for events that
 * anyone of that role may see. Whatever is not for all of them names its users.
 */
export type Audience = 'everyone' | 'members' | readonly UserId[] | Onlookers;

/**
 * Users of whom some see it only by their role: they lose it with the role, also when the event already waits for them.
 */
export interface Onlookers {
  readonly ids: readonly UserId[];
  readonly role: 'admin' | 'member';
  /** Users who see it whatever their role is: the subscribers of a stream, the owner of a bot. */
  readonly entitled: readonly UserId[];
}

/** As it lies in the log: a role, a short list, or for many users one bit each. */
export type EncodedAudience = 'everyone' | 'members' | readonly number[] | { readonly bits: string };

/** Below this a list of numbers is shorter than the bits. */
const FEW = 32;

/** What the head of an entry says about its audience. A release that does not know `onlookers` still hears `to`. */
export interface AudienceHead {
  readonly to: EncodedAudience;
  readonly onlookers?: { readonly role: Onlookers['role']; readonly entitled: EncodedAudience };
}

export function audienceHead(audience: Audience): AudienceHead {
  if (typeof audience === 'string' || !('ids' in audience)) return { to: encodeAudience(audience) };
  const { ids, role, entitled } = audience;
  return { to: encodeAudience(ids), onlookers: { role, entitled: encodeAudience(entitled) } };
}

export function encodeAudience(audience: Exclude<Audience, Onlookers>): EncodedAudience {
  if (typeof audience === 'string' || audience.length <= FEW) return audience;
  const bits = new Uint8Array(Math.floor(audience.reduce((most, id) => Math.max(most, id), 0) / 8) + 1);
  for (const id of audience) bits[id >> 3]! |= 1 << (id & 7);
  return { bits: Buffer.from(bits).toString('base64') };
}

export interface AudienceMember {
  readonly id: UserId;
  readonly role: Role;
}

/** Whether somebody hears an entry, judged by the role that they have now. */
export function inAudience({ to, onlookers }: AudienceHead): (user: AudienceMember) => boolean {
  const isNamed = audienceTest(to);
  if (!onlookers) return isNamed;
  const isEntitled = audienceTest(onlookers.entitled);
  const hasRole = ({ role }: AudienceMember) => role === 'admin' || (onlookers.role === 'member' && role === 'member');
  return (user) => isNamed(user) && (hasRole(user) || isEntitled(user));
}

/** A test for membership that costs the same however many there are. */
function audienceTest(audience: EncodedAudience): (user: AudienceMember) => boolean {
  if (audience === 'everyone') return () => true;
  if (audience === 'members') return ({ role }) => role !== 'guest';
  if ('bits' in audience) {
    const bits = Buffer.from(audience.bits, 'base64');
    return ({ id }) => ((bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
  const ids = new Set<number>(audience);
  return ({ id }) => ids.has(id);
}

export const audienceMemberOf = ({ id, role }: User): AudienceMember => ({ id, role });
