/** What users say of themselves beside their names. */
import { z } from 'zod';
import { flag, jsonField, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { setStatus } from '../../commands/users/set-status';
import { DONE } from '../../model/answers/envelope';
import type { User } from '../../model/users/user';
import { badEnd, noEmojiNamed, nothingNew } from '../../model/users/user-status';
import type { Chat } from '../../parts';

const { post } = routesFor<User>();

export const statusRoutes = (chat: Storage & Pick<Chat, 'vocabularies'>) => [
  post('/users/me/status', {
    summary: 'Set your status: a text, an emoji, until when, or that you are away',
    answer: DONE,
    refuses: [nothingNew(), noEmojiNamed(), badEnd()],
    params: {
      away: flag.optional(),
      status_text: text.optional(),
      emoji_name: text.optional(),
      emoji_code: text.optional(),
      reaction_type: text.optional(),
      scheduled_end_time: jsonField(z.int().nullable()).optional(),
    },
    run: ({ by, params: { away, status_text: words, scheduled_end_time: endsAt, ...emoji } }) =>
      setStatus(chat, by, {
        away,
        text: words,
        endsAt,
        emoji: { name: emoji.emoji_name, code: emoji.emoji_code, type: emoji.reaction_type },
      }),
  }),
];
