/** The portal's search of all texts. */
import { z } from 'zod';
import { Outgoing } from '../../../kernel/http/outgoing';
import { routesFor } from '../../../kernel/http/route';
import { foundTexts } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import { noMessage } from '../../model/texting/texting-faults';
import { searchTexts } from '../../queries/texting/search-texts';
import { idWord } from '../list-params';

const { get } = routesFor<Caller>();

export const textSearchRoutes = [
  get('/text-search', {
    summary: 'Search all texts of your company, newest first; X-Next-Cursor says if older ones are left to search',
    answer: foundTexts,
    refuses: [noMessage()],
    isExpensive: true,
    params: { search: z.string().trim().min(2).max(100), cursor: idWord },
    async run({ kernel, by, params: { search: words, cursor } }) {
      const { items, next } = await kernel.readFrom((db) => searchTexts(db, by, { words, cursor }));
      return new Outgoing(items, next === undefined ? {} : { headers: { 'X-Next-Cursor': next } });
    },
  }),
];
