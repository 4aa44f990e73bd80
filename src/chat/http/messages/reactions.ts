/** Emoji reactions to messages. */
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { addReaction, removeReaction } from '../../commands/messages/reactions';
import type { NamedEmoji } from '../../model/messages/reaction';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { messageId } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { noSuchEmoji } from '../../model/users/user-faults';
import { badRequest } from '../../model/faults';

const { post, del } = routesFor<User>();

interface Params {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}

const emojiIn = (params: Params): NamedEmoji => ({
  name: params.emoji_name,
  code: params.emoji_code,
  type: params.reaction_type,
});

export const reactionRoutes = (chat: Chat) => [
  post('/messages/:message_id/reactions', {
    summary: 'Add an emoji reaction',
    answer: DONE,
    refuses: [
      badRequest('Invalid message(s)'),
      noSuchEmoji('nothing'),
      badRequest('Invalid emoji code.'),
      badRequest('Invalid emoji name.'),
      badRequest('Reaction already exists.'),
    ],
    params: {
      message_id: messageId,
      emoji_name: text,
      emoji_code: text.optional(),
      reaction_type: text.optional(),
    },
    run: ({ by, params }) => addReaction(chat, by, params.message_id, emojiIn(params)),
  }),
  del('/messages/:message_id/reactions', {
    summary: 'Remove an emoji reaction',
    answer: DONE,
    refuses: [
      badRequest('Invalid message(s)'),
      noSuchEmoji('nothing'),
      badRequest('Invalid emoji code.'),
      badRequest('Invalid emoji name.'),
      badRequest("Reaction doesn't exist."),
    ],
    params: {
      message_id: messageId,
      emoji_name: text.optional(),
      emoji_code: text.optional(),
      reaction_type: text.optional(),
    },
    run: ({ by, params }) => removeReaction(chat, by, params.message_id, emojiIn(params)),
  }),
];
