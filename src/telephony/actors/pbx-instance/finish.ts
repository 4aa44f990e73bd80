/** How an operation ends: what is written of it, if no newer turn has begun, and what those who wait are told. */
import { WHILE_HELD } from '../../../kernel/mailbox/lease';
import type { Replies } from '../../../kernel/replies';
import type { Answered, Operation } from '../../model/extensions/operation';
import * as audit from '../../store/companies/audit';
import * as extensions from '../../store/extensions/extensions';
import * as operations from '../../store/extensions/operations';
import type { TurnResources } from './turn-resources';
import type { Plan } from './plans';
import { wantReload } from './reload';
import { undo } from './undo';

/** What else is written depends on whether the order was still wanted. */
const NOTE_CHANGED = 'SET @changed = ROW_COUNT()';
const FIRST_CHANGED = '@changed = 1';

const deed = (operation: Operation, more: object = {}): audit.Deed => ({
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
  const answer = secrets.encrypt(JSON.stringify(plan.answer));
  await wantReload(resources, mysql);
  const [succeeded] = await turn.packet([
    operations.succeed(mysql, operation.number, answer).whereRaw(WHILE_HELD).toSQL(),
    { sql: NOTE_CHANGED, bindings: [] },
    plan.write(mysql).whereRaw(FIRST_CHANGED).toSQL(),
    audit.recordIf(FIRST_CHANGED, operation.by, deed(operation)),
  ]);
  const isWanted = (succeeded as { affectedRows: number }).affectedRows === 1;
  if (isWanted) return { id: operation.id, state: 'succeeded', answer, faultKind: null, detail: null };
  // Whoever waited was told that it failed: so it shall have.
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
    await audit.record(db, operation.by, deed(operation, { failed: failure.detail }));
  });
  // Looked up: it may have been given up before, with other words.
  return { ...operation, state: 'running' };
}

export function finishLate(resources: TurnResources, operation: Operation): Promise<Answered> {
  // One that is running was begun by a worker that died.
  const hasBegun = operation.state === 'running';
  const detail = hasBegun
    ? 'The order was begun, but not finished in time; whatever it did is undone'
    : 'The order was not begun in time; nothing was done';
  return finishFailed(resources, operation, { kind: 'upstream', detail, undo: hasBegun });
}

/** Of one that was undone, or was given up before with other words, there is no more to tell than that it is over. */
export const publish = (answers: Replies<Answered>, settled: readonly Answered[]): Promise<void> =>
  answers.publish(
    settled.map(({ id, state, faultKind, detail, answer }) => {
      const isOver = state === 'succeeded' || state === 'failed';
      return isOver ? { id, state, faultKind, detail, answer } : { id };
    }),
  );
