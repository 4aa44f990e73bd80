/** The desk at which operators look after deliveries of external services. */
import type { Desk, WholeItem, WorkFilter, WorkItem, WorkState } from '../../../kernel/jobs/desk';
import { jobDelivery } from '../../../kernel/jobs/job';
import { newId } from '../../../kernel/id';
import type { Kernel } from '../../../kernel/kernel';
import { integrations } from '../../integrations';
import { emptyInbox } from '../../jobs';
import { realmTenant } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import * as remedies from '../../store/bots/delivery-remedies';
import * as found from '../../store/bots/delivery-search';

const STATES = { waiting: 'pending', done: 'done', dead: 'failed', discarded: 'dropped' } as const;

export const deliveryDesk: Desk = {
  name: 'deliveries',
  about: 'deliveries of external services; subject is the bot, kind the integration',
  remedies: ['retry', 'discard', 'replay'],
  async search(kernel, filter) {
    if (filter.state !== undefined && !(filter.state in STATES)) return [];
    return (await found.search(kernel.mysql, await wantedBy(kernel, filter))).map(itemOf);
  },
  async get({ mysql }, id) {
    const row = /^\d{1,15}$/.test(id) ? await found.whole(mysql, Number(id)) : undefined;
    return row && wholeOf(row);
  },
  backlog: ({ mysql }) => found.count(mysql),
  async apply(_kernel, tx, remedy, ids) {
    const numbers = ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
    if (remedy === 'discard') return (await remedies.discard(tx.db, numbers)).map(({ id }) => String(id));
    const rows =
      remedy === 'retry' ? await remedies.retry(tx.db, numbers) : await remedies.replay(tx.db, numbers, newId());
    for (const { realmId, botId } of new Map(rows.map((row) => [row.botId, row])).values()) {
      tx.deliver(jobDelivery(realmTenant(realmId), emptyInbox, { payload: { realmId, botId } }));
    }
    return rows.map(({ id }) => String(id));
  },
};

async function wantedBy({ mysql }: Kernel, filter: WorkFilter): Promise<found.Wanted> {
  const { subject, reference, before, state } = filter;
  const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);
  return {
    state: state === undefined ? undefined : STATES[state as keyof typeof STATES],
    bots:
      subject === undefined
        ? undefined
        : isNumber(subject)
          ? [Number(subject) as UserId]
          : await found.botsNamed(mysql, subject),
    integration: filter.kind,
    ids: reference === undefined ? undefined : isNumber(reference) ? [Number(reference)] : [],
    // A delivery is known by its integration and the service's own id of it.
    samenesses: reference === undefined ? undefined : [...integrations.keys()].map((name) => `${name}:${reference}@`),
    error: filter.error,
    before: isNumber(before) ? Number(before) : undefined,
    limit: filter.limit,
  };
}

const stateOf = (state: found.FoundDelivery['state']): WorkState =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((each) => STATES[each] === state) ?? 'waiting';

function itemOf(row: found.FoundDelivery): WorkItem {
  return {
    id: String(row.id),
    state: stateOf(row.state),
    tenant: realmTenant(row.realmId),
    subject: row.bot,
    kind: row.integration,
    reference: ownIdOf(row),
    reason: row.error,
    attempts: row.attempts,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
  };
}

/** The service's own id of it, where it gave one. */
function ownIdOf({ integration, sameness }: found.FoundDelivery): string | null {
  const at = sameness.lastIndexOf('@');
  return at > 0 && sameness.startsWith(`${integration}:`) ? sameness.slice(integration.length + 1, at) : null;
}

const wholeOf = (row: found.WholeDelivery): WholeItem => ({
  ...itemOf(row),
  payload: JSON.parse(row.payload) as unknown,
  more: {
    event: row.event,
    stream: row.stream,
    topic: row.topic,
    message_id: row.messageId,
    owner_told_at: row.toldAt?.toISOString() ?? null,
  },
});
