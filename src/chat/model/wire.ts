/** Chat's objects in the wire format. */
import type { Wire } from '../../kernel/text/wire';
import type { ownUser } from './answers/users';
import { avatarOf } from './uploads/avatar';
import type { User } from './users/user';
import { wireTime } from './users/user-wire';

/** The reported Zulip version, whatever our own: clients adapt to it. */
export const PROTOCOL_VERSION = '2.1.0';

export function profile(user: User, maxMessageId: number): Wire<typeof ownUser> {
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    short_name: user.shortName,
    avatar_url: avatarOf(user),
    client_id: String(user.id),
    is_admin: user.role === 'admin',
    is_guest: user.role === 'guest',
    is_bot: user.botType !== null,
    is_active: user.isActive,
    timezone: user.timezone,
    date_joined: wireTime(user.joinedAt),
    pointer: user.pointer,
    max_message_id: maxMessageId,
    profile_data: {},
  };
}

/** Plain text as HTML: one paragraph per group of lines, everything else literal. */
export function paragraphs(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return escaped
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.trim()}</p>`)
    .join('\n');
}
