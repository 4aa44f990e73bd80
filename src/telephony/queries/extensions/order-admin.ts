/**
 * Work-queue admin for PBX orders. Their answers are final, so there is nothing to retry but the undo of a failed one that
 * was given up.
 */
import { searchableId } from '../../../kernel/id';
import type { WorkQueueAdmin, WorkItem, WorkState } from '../../../kernel/jobs/work-queue-admin';
import { companyTenant } from '../../model/companies/company';
import type { OperationState } from '../../model/extensions/operation';
import { sendUndo } from '../../actors/pbx-instance/undo';
import { changeStuck } from '../../store/extensions/operation-endings';
import * as operations from '../../store/extensions/operation-queries';

const STATES: Readonly<Partial<Record<WorkState, readonly OperationState[]>>> = {
  waiting: ['pending'],
  running: ['running', 'undoing'],
  done: ['succeeded'],
  failed: ['failed'],
  dead: ['stuck'],
};

const optional = (written: string | undefined): string | undefined =>
  written === undefined ? undefined : searchableId(written);

export const orderAdmin: WorkQueueAdmin = {
  name: 'orders',
  about: 'orders to PBXs; subject is the instance, kind what was ordered',
  remedies: ['retry', 'discard'],
  async search({ mysql }, filter) {
    const states = filter.state === undefined ? undefined : STATES[filter.state];
    if (filter.state !== undefined && !states) return [];
    const found = await operations.search(mysql, {
      states,
      instance: optional(filter.subject),
      kind: optional(filter.kind),
      id: optional(filter.reference),
      detail: filter.error,
      before: optional(filter.before),
      limit: filter.limit,
    });
    return found.map(itemOf);
  },
  async get({ mysql }, id) {
    const only = { states: undefined, instance: undefined, kind: undefined, detail: undefined, before: undefined };
    const [row] = await operations.search(mysql, { ...only, id: searchableId(id), limit: 1 });
    // The payload is encrypted, because it may contain credentials.
    return row && { ...itemOf(row), payload: null, more: { extension_number: row.objectNumber, number: row.number } };
  },
  backlog: { query: operations.openOrders },
  // A discarded one is left to the comparison of PBX and database.
  async apply(_, tx, remedy, ids) {
    const stuck = await changeStuck(tx.db, ids.map(searchableId), remedy === 'retry');
    if (remedy === 'retry') for (const operation of stuck) sendUndo(tx, operation);
    return stuck.map(({ id }) => id);
  },
};

const stateOf = (state: OperationState): WorkState =>
  (Object.keys(STATES) as WorkState[]).find((each) => STATES[each]?.includes(state)) ?? 'waiting';

const itemOf = (row: operations.FoundOperation): WorkItem => ({
  id: row.id,
  state: stateOf(row.state),
  tenant: companyTenant(row.companyId),
  subject: row.instance,
  kind: row.kind,
  reference: row.id,
  reason: row.detail,
  attempts: row.attempts,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
});
