/** What users say of themselves beside their names: away or not, a text, an emoji, and until when. */
import type { Wire } from '../../../kernel/text/wire';
import type { userStatus } from '../answers/users';
import { badRequest } from '../faults';
import type { RealmEmoji } from '../markdown/context';
import { checkEmoji, type Emoji, emojiOf, type NamedEmoji } from '../messages/reaction';
import type { UserId } from './user';

export interface UserStatus {
  readonly isAway: boolean;
  readonly text: string;
  readonly emoji: Emoji | null;
  /** Seconds; null if it has no end. */
  readonly endsAt: number | null;
}

export const NO_STATUS: UserStatus = { isAway: false, text: '', emoji: null, endsAt: null };

export const MAX_STATUS_LENGTH = 60;
/** Ten years: later ends are mistakes of a client that counts milliseconds. */
const MAX_SECONDS = 10 * 366 * 86_400;

export const nothingNew = () => badRequest('Client did not pass any new values.');
export const noEmojiNamed = () =>
  badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
export const badEnd = () => badRequest('The end of a status must be in the future');

/** Three empty values take the emoji away. */
export function readEmoji(given: NamedEmoji, own: readonly RealmEmoji[]): Emoji | null | undefined {
  const { name, code, type } = given;
  if (name === undefined) {
    if (code || type) throw noEmojiNamed();
    return code === undefined && type === undefined ? undefined : null;
  }
  if (name === '') return null;
  const emoji = emojiOf({ name, code: code || undefined, type: type || undefined }, own);
  checkEmoji(emoji, own);
  return emoji;
}

export function checkEnd(endsAt: number | null | undefined, now: number): void {
  if (endsAt === undefined || endsAt === null) return;
  if (endsAt <= now || endsAt > now + MAX_SECONDS) throw badEnd();
}

/** As clients of Zulip get it: keys without a value are left out. */
export const wireStatus = ({ isAway, text, emoji, endsAt }: UserStatus): Wire<typeof userStatus> => ({
  ...(isAway ? { away: true } : {}),
  ...(text === '' ? {} : { status_text: text }),
  ...(emoji ? wireEmoji(emoji) : {}),
  ...(endsAt === null ? {} : { scheduled_end_time: endsAt }),
});

const wireEmoji = (emoji: Emoji | null) => ({
  emoji_name: emoji?.name ?? '',
  emoji_code: emoji?.code ?? '',
  reaction_type: emoji?.type ?? '',
});

/** What is set appears in the event, what stays is absent. */
export const statusEvent = (userId: UserId, { isAway, text, emoji, endsAt }: Partial<UserStatus>) => ({
  type: 'user_status',
  user_id: userId,
  ...(isAway === undefined ? {} : { away: isAway }),
  ...(text === undefined ? {} : { status_text: text }),
  ...(emoji === undefined ? {} : wireEmoji(emoji)),
  ...(endsAt === undefined ? {} : { scheduled_end_time: endsAt }),
});
