/** The audience of an event: a role, or the users who had access when it was committed. */
import type { Role, UserId } from '../users/user';

/**
 * `everyone` and `members` (all but guests) are resolved when the event is delivered, so they suit only events that
 * every user of that role may see. All other events name their users.
 */
export type Audience = 'everyone' | 'members' | readonly UserId[] | Onlookers;

/** Users of whom some have access only by their role. Without the role, they also lose events already queued. */
export interface Onlookers {
  readonly ids: readonly UserId[];
  readonly role: 'admin' | 'member';
  /** Users with access whatever their role: the subscribers of a stream, the owner of a bot. */
  readonly entitled: readonly UserId[];
}

/** The log's encoding: a role, a short list, or a bit set for many users. */
export type EncodedAudience = 'everyone' | 'members' | readonly number[] | { readonly bits: string };

/** Up to this many, a list of numbers is shorter than the bit set. */
const FEW = 32;

/** The audience in the head of an entry. A release without `onlookers` still understands `to`. */
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

/** Tests whether a user is in an entry's audience, by the role they have now. */
export function inAudience({ to, onlookers }: AudienceHead): (user: AudienceMember) => boolean {
  const isNamed = audienceTest(to);
  if (!onlookers) return isNamed;
  const isEntitled = audienceTest(onlookers.entitled);
  const hasRole = ({ role }: AudienceMember) => role === 'admin' || (onlookers.role === 'member' && role === 'member');
  return (user) => isNamed(user) && (hasRole(user) || isEntitled(user));
}

/** A membership test whose cost does not depend on the audience's size. */
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
