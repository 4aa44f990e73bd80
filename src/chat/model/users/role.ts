/**
 * The five roles of Zulip. Three of them are stored as `role`, as clients of 2.1 know them. A title tells owners from other
 * administrators, and moderators from other members, so that whatever looks at the role alone need not know of titles.
 */
import type { Role, Title, User } from './user';

export interface Standing {
  readonly role: Role;
  readonly title: Title | null;
}

const STANDINGS: Readonly<Record<number, Standing>> = {
  100: { role: 'admin', title: 'owner' },
  200: { role: 'admin', title: null },
  300: { role: 'member', title: 'moderator' },
  400: { role: 'member', title: null },
  600: { role: 'guest', title: null },
};

/** Of the wire format's number, if there is such a role. */
export const standingOf = (number: number): Standing | undefined => STANDINGS[number];

const NUMBERS: Readonly<Record<Role | Title, number>> = {
  owner: 100,
  admin: 200,
  moderator: 300,
  member: 400,
  guest: 600,
};

export const roleNumber = ({ role, title }: Standing): number => NUMBERS[title ?? role];

/** The title that goes with the role. A release that knows no titles may have changed the role since. */
export const titleWith = (role: Role, title: Title | null): Title | null => {
  const isRight = title === 'owner' ? role === 'admin' : role === 'member';
  return isRight ? title : null;
};

type Ranked = Pick<User, 'role' | 'title'>;

export const isOwner = ({ title }: Pick<User, 'title'>): boolean => title === 'owner';

/** Moderators, and whoever is above them. */
export const moderates = ({ role, title }: Ranked): boolean => role === 'admin' || title === 'moderator';
