/** Route for the events that a client missed, by number: the same events that its socket would have received. */
import { integer } from '../../../kernel/http/params';
import { Outgoing } from '../../../kernel/http/outgoing';
import { routesFor } from '../../../kernel/http/route';
import type { Caller } from '../../model/contacts/contact';
import { companyHead, listEvents } from '../../queries/companies/list-events';
import { companyEventList } from '../../model/answers/events';
import { eventsForgotten } from '../../model/faults';

const { get } = routesFor<Caller>();

const MAX = 1000;
const USUAL = 100;

export const eventRoutes = [
  get('/events', {
    summary: "Get your company's events after a number, oldest first; 410 if they were deleted",
    answer: companyEventList,
    refuses: [eventsForgotten(7)],
    isExpensive: true,
    params: {
      after: integer.refine((number) => number >= 0, 'must be 0 or more').optional(),
      limit: integer.refine((number) => number >= 1 && number <= MAX, `must be from 1 to ${MAX}`).default(USUAL),
    },
    run: async ({ kernel, by, params }) => {
      // Without a number nothing was missed, so the answer only carries the newest number to start from.
      const { events, head } =
        params.after === undefined
          ? { events: [], head: await companyHead(kernel, by.companyId) }
          : await listEvents(kernel, by, params.after, params.limit);
      return new Outgoing(events, { headers: { 'X-Event-Seq': String(head) } });
    },
  }),
];
