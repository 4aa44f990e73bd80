/** Who may write to a stream: 1 everybody, 2 administrators, 3 all but newcomers, 4 moderators. */
import type { TextKey } from '../../shared/texts/texts';
import type { ChatState } from '../data/store';
import type { Person, Stream } from '../data/wire';
import { moderates } from '../admin/roles';

export type PostPolicy = 1 | 2 | 3 | 4;
export const POST_POLICIES: readonly PostPolicy[] = [1, 3, 4, 2];

type Ruled = Pick<Stream, 'is_announcement_only' | 'stream_post_policy'>;

export function policyOf({ is_announcement_only: isForAdmins, stream_post_policy: policy }: Ruled): PostPolicy {
  if (isForAdmins) return 2;
  return policy === 3 || policy === 4 ? policy : 1;
}

const DAY_MS = 86_400_000;

function isNewcomer(own: Person, days: number): boolean {
  return !moderates(own) && Date.now() - Date.parse(own.date_joined) < days * DAY_MS;
}

type Rules = Pick<ChatState, 'people' | 'ownId' | 'settings'>;

export function fitsPolicy({ people, ownId, settings }: Rules, stream: Ruled): boolean {
  const policy = policyOf(stream);
  const own = people.get(ownId);
  if (policy === 1 || !own) return policy === 1;
  if (policy === 2) return own.is_admin;
  if (policy === 4) return moderates(own);
  if (own.is_guest) return false;
  const days = settings['realm_waiting_period_threshold'];
  return !isNewcomer(own, typeof days === 'number' ? days : 0);
}

/** Why somebody may not write. */
export const REASONS: Readonly<Record<PostPolicy, TextKey>> = {
  1: 'compose.adminsOnly',
  2: 'compose.adminsOnly',
  3: 'compose.noNewcomers',
  4: 'compose.moderatorsOnly',
};

/** The rule in words. */
export const RULES: Readonly<Record<PostPolicy, TextKey>> = {
  1: 'directory.allWrite',
  2: 'directory.adminsWrite',
  3: 'directory.noNewcomersWrite',
  4: 'directory.moderatorsWrite',
};
