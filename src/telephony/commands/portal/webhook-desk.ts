/** The desk at which operators look after events that companies have posted to addresses of their own. */
import { askedId } from '../../../kernel/id';
import type { Desk, WorkFilter, WorkItem, WorkState } from '../../../kernel/jobs/desk';
import { jobDelivery } from '../../../kernel/jobs/job';
import { postEvents } from '../../jobs';
import { companyTenant } from '../../model/company';
import * as found from '../../store/webhook-delivery-search';
import * as deliveries from '../../store/webhook-deliveries';

const STATES = { waiting: 'pending', done: 'done', dead: 'failed', discarded: 'dropped' } as const;
const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

export const webhookDesk: Desk = {
  name: 'company-webhooks',
  about: 'events that companies have posted to their own addresses; subject is the host, kind the event',
  remedies: ['retry', 'discard'],
  async search({ mysql }, filter) {
    const wanted = wantedBy(filter);
    return wanted ? (await found.search(mysql, wanted)).map(itemOf) : [];
  },
  async get({ mysql }, id) {
    const row = isNumber(id) ? await found.whole(mysql, Number(id)) : undefined;
    if (!row) return undefined;
    const more = { webhook_id: row.webhookId, due_at: row.dueAt.toISOString() };
    return { ...itemOf(row), payload: JSON.parse(row.body) as unknown, more };
  },
  backlog: ({ mysql }) => found.count(mysql),
  async apply(_kernel, tx, remedy, ids) {
    const numbers = ids.filter(isNumber).map(Number);
    const rows = remedy === 'discard' ? await found.discard(tx.db, numbers) : await found.retry(tx.db, numbers);
    for (const { companyId, webhookId } of new Map(rows.map((row) => [row.webhookId, row])).values()) {
      if (remedy === 'discard') await deliveries.trim(tx.db, webhookId, 'dropped');
      // Those behind one that was discarded wait no longer.
      tx.deliver(jobDelivery(companyTenant(companyId), postEvents, { payload: { webhookId } }));
    }
    return rows.map(({ id }) => String(id));
  },
};

/** Undefined where nothing can be found. */
function wantedBy({ state, subject, kind, reference, error, before, limit }: WorkFilter): found.Wanted | undefined {
  const isKnownState = state === undefined || state in STATES;
  if (!isKnownState || (reference !== undefined && !isNumber(reference))) return undefined;
  return {
    state: state === undefined ? undefined : STATES[state as keyof typeof STATES],
    webhook: subject,
    event: kind === undefined ? undefined : askedId(kind),
    id: reference === undefined ? undefined : Number(reference),
    answer: error,
    before: isNumber(before) ? Number(before) : undefined,
    limit,
  };
}

const stateOf = (state: found.FoundDelivery['state']): WorkState =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((each) => STATES[each] === state) ?? 'waiting';

const itemOf = (row: found.FoundDelivery): WorkItem => ({
  id: String(row.id),
  state: stateOf(row.state),
  tenant: companyTenant(row.companyId),
  // The rest of the address may hold a secret.
  subject: new URL(row.url).host,
  kind: row.event,
  reference: null,
  reason: row.answer,
  attempts: row.attempts,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
});
