/** Drafts, which all clients of a person share. */
import { jsonText, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { createDrafts, removeDraft, updateDraft } from '../../commands/drafts/edit-drafts';
import { draftIdsAnswer, draftsAnswer } from '../../model/answers/drafts';
import { DONE } from '../../model/answers/envelope';
import { DRAFT_TYPES, emptyDraft, tooManyDrafts, type DraftType } from '../../model/drafts/saved-draft';
import { badRequest, noSuchDraft } from '../../model/faults';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { listDrafts } from '../../queries/drafts/list-drafts';
import { checked, isDict, isInteger, isListOf, isString, type Check } from '../json-checks';

const { get, post, patch, del } = routesFor<User>();

const isType: Check<DraftType> = (place, value) => {
  const type = DRAFT_TYPES.find((each) => each === value);
  if (type === undefined) throw badRequest(`Invalid ${place}`);
  return type;
};

const isTime: Check<number> = (place, value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badRequest(`${place} is not a number`);
  return value;
};

const isRecipient: Check<number> = (place, value) => {
  const id = isInteger(place, value);
  if (id < 0 || id > 4_294_967_295) throw badRequest(`Invalid ${place}`);
  return id;
};

const isDraft = isDict(
  { type: isType, to: isListOf(isRecipient), topic: isString, content: isString },
  { timestamp: isTime },
  true,
);

/** What is no number is the id of no draft. */
const draftId = text.transform((value) => (/^\d{1,15}$/.test(value) ? Number(value) : 0)).meta({ type: 'integer' });
const draftParam = checked('draft', isDraft).meta(jsonText({ type: 'object' }));
const draftsParam = checked('drafts', isListOf(isDraft)).meta(jsonText({ type: 'array' }));

export function draftRoutes(chat: Pick<Chat, 'clock' | 'transaction'>) {
  /** A draft without a time was written now. */
  const timed = (draft: ReturnType<typeof isDraft>) => ({
    ...draft,
    timestamp: draft.timestamp ?? chat.clock.now().getTime() / 1000,
  });
  return [
    get('/drafts', {
      summary: 'Get your drafts',
      answer: draftsAnswer,
      run: ({ kernel, by }) => listDrafts(kernel.mysql, by),
    }),
    post('/drafts', {
      summary: 'Save drafts',
      answer: draftIdsAnswer,
      refuses: [emptyDraft(), tooManyDrafts()],
      params: { drafts: draftsParam },
      run: ({ by, params }) => createDrafts(chat, by, params.drafts.map(timed)),
    }),
    patch('/drafts/:draft_id', {
      summary: 'Change a draft',
      answer: DONE,
      refuses: [noSuchDraft(), emptyDraft()],
      params: { draft_id: draftId, draft: draftParam },
      run: ({ by, params }) => updateDraft(chat, by, params.draft_id, timed(params.draft)),
    }),
    del('/drafts/:draft_id', {
      summary: 'Delete a draft',
      answer: DONE,
      refuses: [noSuchDraft()],
      params: { draft_id: draftId },
      run: ({ by, params }) => removeDraft(chat, by, params.draft_id),
    }),
  ];
}
