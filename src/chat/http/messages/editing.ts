/**
 * Single messages: read, history, edit, delete, and render without sending. What readers add to them: emoji reactions,
 * and submessages, which change polls and to-do lists.
 */
import { z } from 'zod';
import { flag, jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { addSubmessage } from '../../commands/messages/add-submessage';
import { deleteMessage } from '../../commands/messages/delete-messages';
import { editMessage } from '../../commands/messages/edit-message';
import { react } from '../../commands/messages/reactions';
import { checkContent } from '../../model/messages/draft';
import { badArgument, badRequest } from '../../model/faults';
import type { NamedEmoji } from '../../model/messages/reaction';
import { requestProfile } from '../../model/profiles/profiles';
import { PROPAGATE_MODES, type PropagateMode } from '../../model/messages/revision';
import { invalidSubmessage, mayNotAttach, tooManySubmessages } from '../../model/messages/submessage';
import type { User } from '../../model/users/user';
import { noSuchEmoji } from '../../model/users/user-faults';
import type { Chat, Sending } from '../../parts';
import { getHistory, getRawMessage } from '../../queries/messages/access-message';
import { listReaders } from '../../queries/messages/list-readers';
import { getWholeMessage } from '../../queries/reading/get-message';
import { renderContent } from '../../queries/messages/render-content';
import { CACHED_CALLERS } from '../wire-format';
import { messageId, shortText, topicOf } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { historyAnswer, rawAnswer, readersAnswer, renderedAnswer } from '../../model/answers/messages';
import {
  contentStays,
  mayNotMove,
  privateStaysPrivate,
  tooLateToMove,
  tooManyToMove,
} from '../../model/messages/move-policy';
import { invalidStreamId } from '../../model/streams/stream-faults';
import { alreadyDeleted, editingDisabled, historyDisabled, nothingToChange } from '../../model/messages/edit-policy';

const { get, post, patch, del } = routesFor<User>();

function modeOf(written: string): PropagateMode {
  const { success, data } = z.enum(PROPAGATE_MODES).safeParse(written);
  if (!success) throw badArgument('propagate_mode', written);
  return data;
}

export const editingRoutes = (chat: Sending) => [
  post('/messages/render', {
    summary: 'Render a message without sending it',
    admits: [CACHED_CALLERS],
    answer: renderedAnswer,
    refuses: [badRequest('Unable to render message')],
    params: { content: text },
    async run({ by, params }) {
      const { html } = await renderContent(chat, by.realmId, checkContent(params.content, chat.tooLong), by);
      return { rendered: html };
    },
  }),
  get('/messages/:message_id', {
    summary: "Get a message's raw markdown; with allow_empty_topic_name also the message",
    answer: rawAnswer,
    refuses: [badRequest('Invalid message(s)')],
    params: {
      message_id: messageId,
      apply_markdown: flag.default(true),
      allow_empty_topic_name: flag.optional(),
      client_gravatar: flag.default(false),
    },
    run: ({ kernel, by, params }) => {
      if (params.allow_empty_topic_name === undefined) return getRawMessage(kernel.mysql, by, params.message_id);
      const how = { wantsHtml: params.apply_markdown, computesAvatars: params.client_gravatar };
      return getWholeMessage(kernel.mysql, by, params.message_id, {
        ...how,
        profile: requestProfile(params.allow_empty_topic_name),
      });
    },
  }),
  get('/messages/:message_id/history', {
    summary: "Get a message's edit history",
    answer: historyAnswer,
    refuses: [badRequest('Invalid message(s)'), historyDisabled()],
    isExpensive: true,
    params: { message_id: messageId },
    run: ({ kernel, by, params }) => getHistory(kernel.mysql, by, params.message_id),
  }),
  get('/messages/:message_id/read_receipts', {
    summary: 'Get the users who have read a message, without its sender',
    answer: readersAnswer,
    refuses: [badRequest('Invalid message(s)')],
    isExpensive: true,
    params: { message_id: messageId },
    run: ({ kernel, by, params }) => listReaders(kernel.mysql, by, params.message_id),
  }),
  patch('/messages/:message_id', {
    summary: 'Edit a message or move it to another topic or stream',
    answer: DONE,
    refuses: [
      badRequest('Invalid message(s)'),
      editingDisabled(),
      nothingToChange(),
      badRequest("You don't have permission to edit this message"),
      badRequest('The time limit for editing this message has passed'),
      contentStays(),
      mayNotMove(),
      privateStaysPrivate(),
      tooLateToMove(),
      tooManyToMove(),
      invalidStreamId(),
    ],
    params: {
      message_id: messageId,
      content: text.optional(),
      topic: text.optional(),
      subject: text.optional(),
      stream_id: jsonInteger.optional(),
      propagate_mode: text.default('change_one'),
      send_notification_to_old_thread: flag.optional(),
      send_notification_to_new_thread: flag.optional(),
    },
    run: ({ by, params }) =>
      editMessage(chat, by, params.message_id, {
        content: params.content,
        topic: topicOf(params),
        streamId: params.stream_id,
        notices: { old: params.send_notification_to_old_thread, new: params.send_notification_to_new_thread },
        mode: modeOf(params.propagate_mode),
      }),
  }),
  del('/messages/:message_id', {
    summary: 'Delete a message',
    answer: DONE,
    refuses: [
      badRequest('Invalid message(s)'),
      badRequest("You don't have permission to delete this message"),
      badRequest('The time limit for deleting this message has passed'),
      alreadyDeleted(),
    ],
    params: { message_id: messageId },
    run: ({ kernel, by, params }) => deleteMessage(kernel, by, params.message_id),
  }),
];

/** The column's length. */
const MAX_TYPE_LENGTH = 100;

const emoji = { emoji_name: text.optional(), emoji_code: text.optional(), reaction_type: text.optional() };

const emojiIn = (params: z.output<z.ZodObject<typeof emoji>>): NamedEmoji => ({
  name: params.emoji_name,
  code: params.emoji_code,
  type: params.reaction_type,
});

const REACTION_REFUSALS = [
  badRequest('Invalid message(s)'),
  noSuchEmoji('nothing'),
  badRequest('Invalid emoji code.'),
  badRequest('Invalid emoji name.'),
];

export const reactionRoutes = (chat: Storage & Pick<Chat, 'vocabularies'>) => [
  post('/messages/:message_id/reactions', {
    summary: 'Add an emoji reaction',
    answer: DONE,
    refuses: [...REACTION_REFUSALS, badRequest('Reaction already exists.')],
    params: { message_id: messageId, ...emoji, emoji_name: text },
    run: ({ by, params }) => react(chat, by, { messageId: params.message_id, op: 'add' }, emojiIn(params)),
  }),
  del('/messages/:message_id/reactions', {
    summary: 'Remove an emoji reaction',
    answer: DONE,
    refuses: [...REACTION_REFUSALS, badRequest("Reaction doesn't exist.")],
    params: { message_id: messageId, ...emoji },
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
