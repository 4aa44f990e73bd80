/** Routes of conversations. Clients use the paths with and without v2. */
import { z } from 'zod';
import { flag } from '../../../kernel/http/params';
import { Outgoing } from '../../../kernel/http/outgoing';
import { routesFor } from '../../../kernel/http/route';
import { createConversation, type Recipient, pinConversation } from '../../commands/texting/create-conversation';
import { deleteConversation } from '../../commands/texting/delete-texts';
import type { Caller } from '../../model/contacts/contact';
import * as field from '../../model/fields';
import { numberField } from '../../model/texting/phone-number';
import { CONVERSATION_TYPES } from '../../model/texting/texting';
import { getConversation, listConversations } from '../../queries/texting/conversations';
import { orderOptionsOf } from '../extensions/extension-orders';
import { idWord, paged, pageShape, word } from '../list-params';
import { contactOf, numbersField, optionalNumber, SAMPLE_OURS } from './texting-params';
import { conversation, conversations } from '../../model/answers/texting';
import { invalid } from '../../model/faults';
import { noConversation, noTextingContact, notOurNumber, whichNumber } from '../../model/texting/texting-faults';

const { get, post, del } = routesFor<Caller>();

/** Bounds the parsing; a conversation has at most ten members. */
const MAX_RECIPIENTS = 100;

const recipient = z.union(
  [z.object({ number: numberField }), z.object({ id: field.id() }), numberField.transform((number) => ({ number }))],
  { error: 'must be a telephone number such as +15550100003, {"number": "+15550100003"} or {"id": "…"} of a contact' },
) satisfies z.ZodType<Recipient>;

const listShape = {
  ...pageShape,
  search: word,
  sort: z.enum(['last_activity', 'created_at']).default('last_activity'),
  contact: idWord,
  contact_id: idWord,
  conversation_type: z.enum(CONVERSATION_TYPES).optional(),
  from_number: numbersField,
  from_numbers: numbersField,
} as const;

const draftShape = {
  recipients: z.array(recipient).min(1, 'must not be empty').max(MAX_RECIPIENTS),
  from_number: optionalNumber,
  conversation_type: z.enum(CONVERSATION_TYPES).optional(),
  name: field.line(100).optional(),
  timezone: field.timezone.optional(),
} as const;

const routesUnder = (list: string) => [
  get(list, {
    summary: "List your company's conversations, pinned ones first",
    answer: conversations,
    isExpensive: true,
    params: listShape,
    run: ({ kernel, by, params }) => {
      const { search, sort, conversation_type: type } = params;
      const fromNumbers = [...(params.from_numbers ?? []), ...(params.from_number ?? [])].map(({ e164 }) => e164);
      const query = { search, sort, type, fromNumbers, ...contactOf(params.contact ?? params.contact_id) };
      return paged(params, (page) => listConversations(kernel.readFrom, by, { query, page }));
    },
  }),
  post(list, {
    summary: 'Start a conversation: direct with one number, group or campaign with 2 to 10',
    answer: { 200: conversation, 201: conversation },
    refuses: [invalid('recipients: is required'), whichNumber(), notOurNumber(SAMPLE_OURS), noTextingContact()],
    status: 201,
    params: draftShape,
    run: async ({ kernel, by, params, incoming }) => {
      const { recipients, from_number: fromNumber, conversation_type: type, name = '' } = params;
      const timezone = params.timezone || undefined;
      const idempotencyKey = orderOptionsOf(incoming).idempotencyKey || undefined;
      const draft = { recipients, fromNumber, type, name, timezone, idempotencyKey };
      const created = await createConversation(kernel, by, draft);
      return new Outgoing(created.conversation, { status: created.isNew ? 201 : 200 });
    },
  }),
  get(`${list}/:conversation_id`, {
    summary: 'Get a conversation',
    answer: conversation,
    refuses: [noConversation()],
    run: ({ kernel, by, params }) => getConversation(kernel.mysql, by, params.conversation_id),
  }),
  del(`${list}/:conversation_id`, {
    summary: 'Delete a conversation and its messages, for the whole company',
    answer: conversation,
    refuses: [noConversation()],
    run: ({ kernel, by, params }) => deleteConversation(kernel, by, params.conversation_id),
  }),
  post(`${list}/:conversation_id/pin`, {
    summary: 'Pin or unpin a conversation in your own list',
    answer: conversation,
    refuses: [noConversation()],
    params: { pin: flag },
    run: ({ kernel, by, params }) => pinConversation(kernel, by, { id: params.conversation_id, isPinned: params.pin }),
  }),
];

export const conversationRoutes = ['/texting/conversations', '/texting/v2/conversations'].flatMap(routesUnder);
