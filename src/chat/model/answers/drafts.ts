/** Schemas of drafts, in answers and events. */
import { z } from 'zod';
import { DRAFT_TYPES } from '../drafts/saved-draft';

export const wireDraft = z
  .object({
    id: z.int(),
    type: z.enum(DRAFT_TYPES),
    to: z.array(z.int()),
    topic: z.string(),
    content: z.string(),
    timestamp: z.int(),
  })
  .meta({ id: 'Draft' });

export const draftsAnswer = z.object({ count: z.int(), drafts: z.array(wireDraft) });
export const draftIdsAnswer = z.object({ ids: z.array(z.int()) });
