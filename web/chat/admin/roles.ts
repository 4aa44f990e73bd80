/** The five roles of people. Titles of some stand beside what clients of Zulip 2.1 know, and change by themselves. */
import type { Person } from '../data/wire';

export const ROLES = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;
export type RoleName = keyof typeof ROLES;

/** A number that an older event left behind counts only where the flags agree with it. */
export function roleOf({ is_admin, is_guest, role }: Pick<Person, 'is_admin' | 'is_guest' | 'role'>): RoleName {
  if (is_admin) return role === ROLES.owner ? 'owner' : 'admin';
  if (is_guest) return 'guest';
  return role === ROLES.moderator ? 'moderator' : 'member';
}

/** Moderators, and whoever is above them. */
export const moderates = (person: Person | undefined): boolean =>
  person !== undefined && ROLES[roleOf(person)] <= ROLES.moderator;

/** What somebody may make others: only owners make and change owners. */
export function rolesToGive(own: Person | undefined): readonly RoleName[] {
  const all = Object.keys(ROLES) as RoleName[];
  return own && roleOf(own) === 'owner' ? all : all.slice(1);
}
