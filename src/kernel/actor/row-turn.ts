/** A turn that is one transaction, which first locks the actor's row: InnoDB lets one in, a crash rolls back. */
import type { Tx } from '../mysql/transaction';
import type { Turn } from './actor';
import type { Address } from './address';

export interface RowTurn<Row, Input, Output> {
  /** Locks and reads the row (FOR UPDATE); throws a Fault where it is missing. */
  lock(tx: Tx, address: Address): Promise<Row>;
  run(tx: Tx, row: Row, input: Input): Promise<Output>;
}

export function rowTurn<Row, Input, Output>(turn: RowTurn<Row, Input, Output>): Turn<Input, Output> {
  return {
    take: (kernel, address, input) =>
      kernel.transaction(async (tx) => turn.run(tx, await turn.lock(tx, address), input)),
  };
}
