/** Fails an order that was not finished in time. The reason that the client gets is accurate at that moment. */
import { Fault } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { isHandled } from '../../../kernel/mailbox/turn';
import { pbxInstances } from '../../actors/mailboxes';
import { failOrder } from '../../actors/pbx-instance/undo';
import type { Answered, Operation, OperationState } from '../../model/extensions/operation';
import * as operations from '../../store/extensions/operations';

/** Returns the operation if it finished meanwhile. Otherwise fails it, whatever a worker or the PBX still does. */
export async function giveUp(
  kernel: Storage,
  order: Pick<Operation, 'id' | 'companyId' | 'instance'>,
): Promise<Answered> {
  // The operation rows cannot tell: the order that a worker hangs on may have been given up too.
  const hasWorker = await isHandled(kernel.mysql, pbxInstances, order.instance);
  const ended = await kernel.transaction(async (tx) => {
    const operation = await operations.lock(tx.db, order.id);
    if (!operation) return { late: 'The order is gone' };
    if (operation.finishedAt !== null) return operation;
    const { state } = operation;
    const late = whyLate(state, hasWorker);
    await failOrder(tx, operation, { kind: 'upstream', detail: late, undo: state === 'running' });
    return { late };
  });
  if ('late' in ended) throw new Fault('upstream', ended.late);
  return ended;
}

function whyLate(state: OperationState, hasWorker: boolean): string {
  if (state === 'running') {
    return hasWorker
      ? 'The PBX did not answer in time; whatever it still does is undone'
      : 'The worker that had begun the order is gone; whatever it did is undone';
  }
  return hasWorker
    ? 'The PBX is busy with earlier orders; nothing was done'
    : 'No worker took the order in time; nothing was done';
}
