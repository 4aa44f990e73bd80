/** The desk at which operators look after the calls of outgoing webhook bots. */
import type { Desk, WorkFilter, WorkItem, WorkState } from '../../kernel/jobs/desk';
import { jobDelivery } from '../../kernel/jobs/job';
import type { Kernel } from '../../kernel/kernel';
import { callBot } from '../jobs';
import { CALL_CAUSES } from '../model/outgoing-webhook';
import { realmTenant } from '../model/realm';
import type { UserId } from '../model/user';
import { botsNamed } from '../store/delivery-search';
import * as found from '../store/outgoing-call-search';

const STATES = { waiting: 'pending', done: 'done', dead: 'failed', discarded: 'dropped' } as const;
const isCause = (text: string): boolean => (CALL_CAUSES as readonly string[]).includes(text);
const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

export const outgoingDesk: Desk = {
  name: 'outgoing-webhooks',
  about: 'messages that outgoing webhook bots are told of; subject is the bot, kind what the message did',
  remedies: ['retry', 'discard'],
  async search(kernel, filter) {
    const { state, kind } = filter;
    if ((state !== undefined && !(state in STATES)) || (kind !== undefined && !isCause(kind))) return [];
    return (await found.search(kernel.mysql, await wantedBy(kernel, filter))).map(itemOf);
  },
  async get({ mysql }, id) {
    const row = isNumber(id) ? await found.byId(mysql, Number(id)) : undefined;
    // What is sent is made of the message when it is sent: nothing of it is kept here.
    const moreOf = ({ messageId, answerId, dueAt }: found.FoundCall) => ({
      message_id: messageId,
      answer_id: answerId,
      due_at: dueAt.toISOString(),
    });
    return row && { ...itemOf(row), payload: null, more: moreOf(row) };
  },
  backlog: ({ mysql }) => found.count(mysql),
  async apply(_kernel, tx, remedy, ids) {
    const numbers = ids.filter(isNumber).map(Number);
    if (remedy === 'discard') return (await found.discard(tx.db, numbers)).map(({ id }) => String(id));
    const rows = await found.retry(tx.db, numbers);
    for (const { realmId, botId } of new Map(rows.map((row) => [row.botId, row])).values()) {
      tx.deliver(jobDelivery(realmTenant(realmId), callBot, { payload: { realmId, botId } }));
    }
    return rows.map(({ id }) => String(id));
  },
};

async function wantedBy({ mysql }: Kernel, filter: WorkFilter): Promise<found.Wanted> {
  const { subject, reference, before, state } = filter;
  return {
    state: state === undefined ? undefined : STATES[state as keyof typeof STATES],
    bots:
      subject === undefined
        ? undefined
        : isNumber(subject)
          ? [Number(subject) as UserId]
          : await botsNamed(mysql, subject),
    cause: filter.kind,
    ids: reference === undefined ? undefined : isNumber(reference) ? [Number(reference)] : [],
    error: filter.error,
    before: isNumber(before) ? Number(before) : undefined,
    limit: filter.limit,
  };
}

const stateOf = (state: found.CallState): WorkState =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((each) => STATES[each] === state) ?? 'waiting';

const itemOf = (row: found.FoundCall): WorkItem => ({
  id: String(row.id),
  state: stateOf(row.state),
  tenant: realmTenant(row.realmId),
  subject: row.bot,
  kind: row.cause,
  reference: null,
  reason: row.error,
  attempts: row.attempts,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
});
