/** Routes of messages. Clients use the paths with and without v2, and `publish` for sending. */
import { z } from 'zod';
import { flag } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { deleteTexts } from '../../commands/texting/delete-texts';
import { markTextsRead } from '../../commands/texting/mark-texts-read';
import { sendText } from '../../commands/texting/send-text';
import type { Caller } from '../../model/contacts/contact';
import { MAX_TEXT_LENGTH, MAX_FILES } from '../../model/texting/conversation';
import { invalid } from '../../model/faults';
import * as field from '../../model/fields';
import { warningsOf } from '../../model/texting/text-segments';
import { listTexts } from '../../queries/texting/texts';
import { orderOptionsOf } from '../extensions/extension-orders';
import { idWord, paged, pageShape } from '../list-params';
import { idsOf, SAMPLE_OURS, SAMPLE_THEIRS } from './texting-params';
import { anyOf } from '../../../kernel/text/plain-words';
import { deletedText, deletedTexts, readReply, sentText, textMessages } from '../../model/answers/texting';
import { noConversation, noMessage, notOurNumber, optedOut, usedForAnother } from '../../model/texting/texting-faults';

const { get, post, del } = routesFor<Caller>();

/** More than a client shows at once. */
const MAX_IDS = 1000;

const draftShape = {
  text: field.line(MAX_TEXT_LENGTH).optional(),
  files: z
    .array(anyOf([field.id(), z.object({ id: field.id() }).transform(({ id }) => id)]))
    .max(MAX_FILES)
    .nullable()
    .optional(),
  stamp_id: anyOf([z.string().max(100), z.int().transform(String)])
    .nullable()
    .optional(),
  created_at: field.date.optional(),
  with_warning: flag.nullable().optional(),
} as const;

const readShape = {
  messagesIds: z.array(field.id()).min(1, 'must not be empty').max(MAX_IDS),
  timezone: field.line(64).optional(),
} as const;

const routesUnder = (one: `${string}/:conversation_id`) => [
  get(`${one}/messages`, {
    summary: 'List the messages of a conversation, newest first',
    answer: textMessages,
    refuses: [noConversation(), noMessage()],
    isExpensive: true,
    params: { ...pageShape, before: idWord, after: idWord },
    run: ({ kernel, by, params }) => {
      const { conversation_id: conversationId, before, after } = params;
      return paged(params, (page) => listTexts(kernel.mysql, by, { conversationId, page, before, after }));
    },
  }),
  ...['messages', 'messages/publish'].map((path) =>
    post(`${one}/${path}`, {
      summary: 'Send a message; repeating a stamp_id or Idempotency-Key returns the first message',
      answer: sentText,
      refuses: [
        invalid('text: must not be empty without files'),
        optedOut(SAMPLE_OURS, [SAMPLE_THEIRS]),
        notOurNumber(SAMPLE_OURS),
        usedForAnother('stamp_id', 'message'),
        noConversation(),
      ],
      status: 201,
      params: draftShape,
      run: async ({ kernel, by, params, incoming }) => {
        const { conversation_id: conversationId, text = '' } = params;
        const fileIds = [...new Set(params.files ?? [])];
        if (text.trim() === '' && fileIds.length === 0) throw invalid('text: must not be empty without files');
        const idempotencyKey = orderOptionsOf(incoming).idempotencyKey || undefined;
        const draft = { conversationId, text, fileIds, stampId: params.stamp_id || null, idempotencyKey };
        const message = await sendText(kernel, by, draft);
        return params.with_warning ? { ...message, warnings: warningsOf(text) } : message;
      },
    }),
  ),
  del(`${one}/messages`, {
    summary: 'Delete messages by their ids, for the whole company',
    answer: deletedTexts,
    refuses: [invalid('ids: name the messages to delete'), noConversation(), noMessage()],
    params: {
      ids: z.unknown().optional().meta({ type: 'string', description: 'Ids, separated by commas' }),
    },
    run: ({ kernel, by, params, incoming }) => {
      const ids = idsOf(incoming);
      if (ids.length === 0) throw invalid('ids: name the messages to delete');
      if (ids.length > MAX_IDS) throw invalid(`ids: at most ${MAX_IDS} at once`);
      return deleteTexts(kernel, by, { conversationId: params.conversation_id, ids });
    },
  }),
  del(`${one}/messages/:message_id`, {
    summary: 'Delete a message, for the whole company',
    answer: deletedText,
    refuses: [noConversation(), noMessage()],
    run: async ({ kernel, by, params: { conversation_id: conversationId, message_id: id } }) => {
      const [deleted] = await deleteTexts(kernel, by, { conversationId, ids: [id] });
      return deleted;
    },
  }),
  post(`${one}/read`, {
    summary: 'Mark messages as read by you',
    answer: readReply,
    refuses: [invalid('messagesIds: must not be empty'), noConversation(), noMessage()],
    params: readShape,
    run: ({ kernel, by, params: { conversation_id: conversationId, messagesIds, timezone } }) =>
      markTextsRead(kernel.transaction, by, { conversationId, messagesIds, timezone: timezone || undefined }),
  }),
];

export const messageRoutes = ['/texting/conversations', '/texting/v2/conversations'].flatMap((list) =>
  routesUnder(`${list}/:conversation_id`),
);
