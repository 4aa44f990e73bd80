/** Portal routes of texts that were begun and not sent. */
import { z } from 'zod';
import { routesFor } from '../../../kernel/http/route';
import { keepDraft } from '../../commands/texting/keep-draft';
import { doneAnswer, textDraft } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { noConversation } from '../../model/texting/texting-faults';
import { getDraft } from '../../queries/texting/get-draft';
import { done } from './wire-format';

const { get, put } = routesFor<Caller>();

/** Somebody may write more than can be sent, and shorten it later. */
const MAX_LENGTH = 5000;
const ONE = '/text-drafts/:conversation_id';

export const textDraftRoutes = [
  get(ONE, {
    summary: 'Get what you have begun to write in a conversation; empty if nothing',
    answer: textDraft,
    refuses: [noConversation()],
    run: ({ kernel, by, params }) => getDraft(kernel.mysql, by, params.conversation_id),
  }),
  put(ONE, {
    summary: 'Keep what you have begun to write in a conversation; empty to give it up',
    answer: doneAnswer,
    refuses: [noConversation()],
    params: { text: z.string().max(MAX_LENGTH) },
    run: ({ kernel, by, params: { conversation_id: conversationId, text } }) =>
      done(keepDraft(kernel.transaction, by, { conversationId, text })),
  }),
];
