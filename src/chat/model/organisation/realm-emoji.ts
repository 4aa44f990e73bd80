/** An organisation's custom emoji: their names and their wire format. */

import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/realm';

export const isEmojiName = (name: string): boolean => /^[0-9a-z][0-9a-z._-]{0,98}$/.test(name) && !/[._-]$/.test(name);

export interface EmojiFacts {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly extension: string;
  readonly author: { readonly id: number; readonly email: string; readonly full_name: string };
}

export const emojiPath = (realmId: number, { id, extension }: Pick<EmojiFacts, 'id' | 'extension'>): string =>
  `/user_avatars/${realmId}/emoji/images/${id}.${extension}`;

/** By id, which clients expect as text. */
export const wireEmoji = (realmId: number, emoji: readonly EmojiFacts[]): Wire<typeof answers.realmEmoji> =>
  Object.fromEntries(
    emoji.map((each) => [
      String(each.id),
      {
        id: String(each.id),
        name: each.name,
        source_url: emojiPath(realmId, each),
        deactivated: !each.isActive,
        author: each.author,
      },
    ]),
  );
