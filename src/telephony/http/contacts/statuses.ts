/** Routes of user statuses. */
import { z } from 'zod';
import { searchableId } from '../../../kernel/id';
import { routesFor } from '../../../kernel/http/route';
import { setStatus } from '../../commands/contacts/show-presence';
import type { Caller } from '../../model/contacts/contact';
import { invalid, noContact } from '../../model/faults';
import { MAX_STATUS_LENGTH, STATUS_NAME, type Shown } from '../../model/contacts/status';
import { listStatuses } from '../../queries/contacts/contacts';
import { anyOf } from '../../../kernel/text/plain-words';
import { status, statuses } from '../../model/answers/events';

const { get, patch } = routesFor<Caller>();

const MAX_ASKED = 200;
const name = z.string().max(MAX_STATUS_LENGTH).regex(STATUS_NAME, 'must be a word such as "in_a_meeting"');

/** One id, several, or a comma-separated list. */
const ids = anyOf([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((each) => each.split(',')))
  .transform((given) => given.map((each) => searchableId(each.trim())).filter((each) => each !== ''))
  .refine((given) => given.length <= MAX_ASKED, `must be at most ${MAX_ASKED}`)
  .optional();

const main = z.object({ status: name }).optional();
const additional = z
  .object({
    status: name.or(z.literal('')).optional(),
    action: z.enum(['set', 'unset']).default('set'),
    action_type: z.enum(['manual', 'automatic']).default('manual'),
  })
  .nullish();

function shownBy(given: z.output<typeof additional>): Shown | null | undefined {
  if (!given) return given;
  if (given.action === 'unset' || given.status === '') return null;
  if (given.status === undefined) throw invalid('additional_status.status: is required');
  return { status: given.status, actionType: given.action_type };
}

export const statusRoutes = ['/v2', ''].flatMap((version) => [
  get(`/statuses${version}/users`, {
    summary: 'List the statuses of the users of your company: those named by user_id, or all',
    answer: statuses,
    params: { user_id: ids },
    run: ({ kernel, by, params }) =>
      listStatuses(kernel.mysql, by, params.user_id?.length === 0 ? undefined : params.user_id),
  }),
  patch(`/status${version}/current-user`, {
    summary: 'Set your status; the other users are notified',
    answer: status,
    refuses: [noContact()],
    params: { main_status: main, additional_status: additional },
    run: async ({ kernel, by, params }) => {
      const change = { main: params.main_status?.status, additional: shownBy(params.additional_status) };
      if (change.main === undefined && change.additional === undefined) {
        throw invalid('main_status: is required, or additional_status');
      }
      return setStatus(kernel, by, change);
    },
  }),
]);
