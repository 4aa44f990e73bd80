/** Records how an operation ended, unless a newer turn has begun, and publishes the result to waiting requests. */
import { WHILE_HELD } from '../../../kernel/mailbox/lease';
import type { Replies } from '../../../kernel/replies';
import type { Answered, Operation } from '../../model/extensions/operation';
import * as audit from '../../store/companies/audit';
import * as extensions from '../../store/extensions/extensions';
import * as operations from '../../store/extensions/operations';
import type { TurnResources } from './turn-resources';
import type { Plan } from './plans';
import { undo } from './undo';

/** The other writes depend on whether the order was still wanted, so its affected-row count is kept. */
const NOTE_CHANGED = 'SET @changed = ROW_COUNT()';
const FIRST_CHANGED = '@changed = 1';

const auditRecord = (operation: Operation, more: object = {}): audit.AuditRecord => ({
  action: `extension.${operation.kind}`,
  object: operation.extensionId,
  detail: { number: operation.extensionNumber, operation: operation.id, ...more },
});

export async function finishDone(
  resources: TurnResources,
  operation: Operation,
  plan: Plan,
): Promise<Answered | undefined> {
  const { turn } = resources;
  const { mysql, secrets } = turn.kernel;
  const answer = secrets.encrypt(JSON.stringify(plan.answer()));
  const [succeeded] = await turn.packet([
    operations.succeed(mysql, operation.number, answer).whereRaw(WHILE_HELD).toSQL(),
    { sql: NOTE_CHANGED, bindings: [] },
    plan.write(mysql).whereRaw(FIRST_CHANGED).toSQL(),
    audit.recordIf(FIRST_CHANGED, operation.by, auditRecord(operation)),
  ]);
  const isWanted = (succeeded as { affectedRows: number }).affectedRows === 1;
  if (isWanted) return { id: operation.id, state: 'succeeded', answer, faultKind: null, detail: null };
  // The order had already been reported as failed, so its effect is undone.
  await undo(resources, operation);
  return undefined;
}

export async function finishFailed(
  resources: TurnResources,
  operation: Operation,
  failure: operations.Failure,
): Promise<Answered> {
  await resources.turn.commit(async ({ db }) => {
    if (!(await operations.fail(db, operation.number, failure))) return;
    if (operation.kind === 'create') await extensions.release(db, operation.extensionId);
    await audit.record(db, operation.by, auditRecord(operation, { failed: failure.detail }));
  });
  // Not `failed`: the operation may have failed earlier with another message, so waiting requests read it again.
  return { ...operation, state: 'running' };
}

export function finishLate(resources: TurnResources, operation: Operation): Promise<Answered> {
  // A running operation was begun by a worker that died.
  const hasBegun = operation.state === 'running';
  const detail = hasBegun
    ? 'The order was begun, but not finished in time; whatever it did is undone'
    : 'The order was not begun in time; nothing was done';
  return finishFailed(resources, operation, { kind: 'upstream', detail, undo: hasBegun });
}

/** Publishes full results of finished operations. For others it sends the id, and the waiting request reads the row. */
export const publish = (answers: Replies<Answered>, settled: readonly Answered[]): Promise<void> =>
  answers.publish(
    settled.map(({ id, state, faultKind, detail, answer }) => {
      const isOver = state === 'succeeded' || state === 'failed';
      return isOver ? { id, state, faultKind, detail, answer } : { id };
    }),
  );
