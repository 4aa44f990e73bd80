// What Asterisk knows behind a FreePBX: changes reach it only by a reload, which runs in the background.
import type { JsonObject, Store } from '../store';

type State = 'Processing' | 'Executed' | 'Failed';

export interface Reloads {
  isNeeded(): boolean;
  need(): void;
  /** Gives the transaction to ask about. */
  begin(): string;
  state(transaction: string): State | undefined;
  /** What phones can register with. */
  live(): JsonObject[];
  count(): number;
  /** How long the next ones take, and whether they fail. */
  set(manner: { takesMs: number; fails: boolean }): void;
}

const USUAL_MS = 50;

export function openReloads(store: Store, instance: string): Reloads {
  const transactions = new Map<string, State>();
  let isNeeded = false;
  let manner = { takesMs: USUAL_MS, fails: false };
  // Whatever an earlier process held was loaded when Asterisk started.
  let live = store.list(instance);
  return {
    isNeeded: () => isNeeded,
    need: () => {
      isNeeded = true;
    },
    begin() {
      const transaction = String(transactions.size + 1);
      const { takesMs, fails } = manner;
      transactions.set(transaction, 'Processing');
      isNeeded = false;
      setTimeout(() => {
        if (!fails) live = store.list(instance);
        else isNeeded = true;
        transactions.set(transaction, fails ? 'Failed' : 'Executed');
      }, takesMs).unref();
      return transaction;
    },
    state: (transaction) => transactions.get(transaction),
    live: () => live,
    count: () => transactions.size,
    set: (next) => {
      manner = next;
    },
  };
}
