/** The desk at which operators look after mail: what waits, what the mail server refused, and what nobody took. */
import type { Desk, WholeItem, WorkFilter, WorkItem, WorkState } from '../../../kernel/jobs/desk';
import { jobDelivery } from '../../../kernel/jobs/job';
import { sendMail } from '../../jobs';
import { realmTenant } from '../../model/realm';
import * as found from '../../store/mail-search';

const STATES = { waiting: 'pending', done: 'done', dead: 'failed', discarded: 'dropped' } as const;
const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d{1,15}$/.test(text);

export const mailDesk: Desk = {
  name: 'mails',
  about: 'mail to users; subject is the address, kind what the mail is about',
  remedies: ['retry', 'discard'],
  async search({ mysql }, filter) {
    const wanted = wantedBy(filter);
    return wanted ? (await found.search(mysql, wanted)).map(itemOf) : [];
  },
  async get({ mysql }, id) {
    const row = isNumber(id) ? await found.whole(mysql, Number(id)) : undefined;
    return row && wholeOf(row);
  },
  backlog: ({ mysql }) => found.count(mysql),
  async apply(_kernel, tx, remedy, ids) {
    const numbers = ids.filter(isNumber).map(Number);
    if (remedy === 'discard') return (await found.discard(tx.db, numbers)).map(({ id }) => String(id));
    const rows = await found.retry(tx.db, numbers);
    for (const { id: mailId, realmId } of rows) {
      tx.deliver(jobDelivery(realmTenant(realmId), sendMail, { payload: { realmId, mailId } }));
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
    recipient: subject,
    kind,
    id: reference === undefined ? undefined : Number(reference),
    error,
    before: isNumber(before) ? Number(before) : undefined,
    limit,
  };
}

const stateOf = (state: found.FoundMail['state']): WorkState =>
  (Object.keys(STATES) as (keyof typeof STATES)[]).find((each) => STATES[each] === state) ?? 'waiting';

const itemOf = (row: found.FoundMail): WorkItem => ({
  id: String(row.id),
  state: stateOf(row.state),
  tenant: realmTenant(row.realmId),
  subject: row.recipient,
  kind: row.kind,
  reference: null,
  reason: row.error,
  attempts: row.attempts,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
});

const wholeOf = (row: found.WholeMail): WholeItem => ({
  ...itemOf(row),
  payload: JSON.parse(row.about) as unknown,
  more: { due_at: row.dueAt.toISOString() },
});
