/** What readers add to messages: emoji reactions, and submessages, which change polls and to-do lists. */
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { addSubmessage } from '../../commands/messages/add-submessage';
import { react } from '../../commands/messages/reactions';
import { DONE } from '../../model/answers/envelope';
import { badRequest } from '../../model/faults';
import type { NamedEmoji } from '../../model/messages/reaction';
import { invalidSubmessage, mayNotAttach, tooManySubmessages } from '../../model/messages/submessage';
import type { User } from '../../model/users/user';
import { noSuchEmoji } from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { messageId, shortText } from '../wire-params';

const { post, del } = routesFor<User>();

/** The column's length. */
const MAX_TYPE_LENGTH = 100;

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

export const reactionRoutes = (chat: Storage & Pick<Chat, 'vocabularies'>) => [
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
    run: ({ by, params }) => react(chat, by, { messageId: params.message_id, op: 'add' }, emojiIn(params)),
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
    run: ({ by, params }) => react(chat, by, { messageId: params.message_id, op: 'remove' }, emojiIn(params)),
  }),
  post('/submessage', {
    summary: 'Vote in a poll, or change a task list',
    answer: DONE,
    refuses: [badRequest('Invalid message(s)'), invalidSubmessage(), mayNotAttach(), tooManySubmessages()],
    params: { message_id: messageId, msg_type: shortText(MAX_TYPE_LENGTH), content: text },
    run: ({ kernel, by, params: { message_id: id, msg_type: type, content } }) =>
      addSubmessage(kernel, by, { messageId: id, type, content }),
  }),
];
