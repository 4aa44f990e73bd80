/** Reactions: which emoji are allowed, and their wire format. */
import type { Wire } from '../../../kernel/text/wire';
import type { reaction } from '../answers/messages';
import { badRequest } from '../faults';
import { emojiByCode, emojiByName, isEmoji, ZULIP_EMOJI } from '../markdown/emoji';
import type { RealmEmoji } from '../markdown/context';
import type { User } from '../users/user';

export interface Emoji {
  readonly type: string;
  /** Code points, or the id of a custom emoji. */
  readonly code: string;
  readonly name: string;
}

/** How a client names an emoji: often by its name alone. */
export interface NamedEmoji {
  readonly name?: string | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
}

export const reactionExists = () => badRequest('Reaction already exists.');
export const noSuchReaction = () => badRequest("Reaction doesn't exist.");
const noSuchEmoji = (name: string) => badRequest(`Emoji '${name}' does not exist`);
const nothingNamed = () =>
  badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');

/** Resolves the emoji. Whether it may be used is decided by checkEmoji. */
export function emojiOf({ name, code, type }: NamedEmoji, own: readonly RealmEmoji[]): Emoji {
  if (code !== undefined) return { name: name ?? '', code, type: type ?? 'unicode_emoji' };
  if (name === undefined) throw nothingNamed();
  const found = byName(name, own);
  if (!found) throw noSuchEmoji(name);
  return { ...found, type: type ?? found.type };
}

/** Custom emoji come first: they may have the names of others. */
function byName(name: string, own: readonly RealmEmoji[]): Emoji | undefined {
  const realm = own.find((each) => each.name === name && !each.deactivated);
  if (realm) return { type: 'realm_emoji', code: realm.id, name };
  if (name === ZULIP_EMOJI.name) return { type: 'zulip_extra_emoji', code: name, name };
  const emoji = emojiByName(name);
  return emoji && { type: 'unicode_emoji', code: emoji.code, name };
}

/** Checks whether a user may be the first to react with it. */
export function checkEmoji({ type, code, name }: Emoji, own: readonly RealmEmoji[]): void {
  switch (type) {
    case 'realm_emoji':
      return checkRealmEmoji(
        own.find(({ id }) => id === code),
        name,
      );
    case 'zulip_extra_emoji':
      if (code !== ZULIP_EMOJI.name) throw badRequest('Invalid emoji code.');
      if (name !== code) throw badRequest('Invalid emoji name.');
      return;
    case 'unicode_emoji':
      if (!emojiByCode(code)) throw badRequest('Invalid emoji code.');
      if (!isEmoji(name, code)) throw badRequest('Invalid emoji name.');
      return;
    default:
      throw badRequest('Invalid emoji type.');
  }
}

function checkRealmEmoji(emoji: RealmEmoji | undefined, name: string): void {
  if (!emoji) throw badRequest('Invalid custom emoji.');
  if (emoji.name !== name) throw badRequest('Invalid custom emoji name.');
  if (emoji.deactivated) throw badRequest('This custom emoji has been deactivated.');
}

const wireEmoji = ({ name, code, type }: Emoji) => ({ emoji_name: name, emoji_code: code, reaction_type: type });

/** In a message. */
export const wireReaction = (
  emoji: Emoji,
  { id, email, fullName }: Pick<User, 'id' | 'email' | 'fullName'>,
): Wire<typeof reaction> => ({
  ...wireEmoji(emoji),
  user: { id, email, full_name: fullName },
});

/** In an event, where the user's id has another name. */
export const reactionEvent = (op: 'add' | 'remove', messageId: number, emoji: Emoji, by: User) => ({
  type: 'reaction',
  op,
  message_id: messageId,
  ...wireEmoji(emoji),
  user: { user_id: by.id, email: by.email, full_name: by.fullName },
});
