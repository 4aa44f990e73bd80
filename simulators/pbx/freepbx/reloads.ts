// What Asterisk knows behind a FreePBX: changes reach it only by a reload, which runs in the background.
import type { JsonObject, Store } from '../store';

type State = 'Processing' | 'Executed' | 'Failed';

/** How the next reloads go. */
export interface ReloadManner {
  takesMs: number;
  fails: boolean;
  /** Says so of every reload, whatever became of it. */
  says?: string;
}

export interface Reloads {
  isNeeded(): boolean;
  need(): void;
  /** Gives the transaction to ask about. */
  begin(): string;
  state(transaction: string): string | undefined;
  /** What phones can register with, how many reloads there were, and how many failed as another one was under way. */
  seen(): { extensions: JsonObject[]; reloads: number; collisions: number };
  set(manner: ReloadManner): void;
}

const USUAL_MS = 50;

export function openReloads(store: Store, instance: string): Reloads {
  const transactions = new Map<string, State>();
  let isNeeded = false;
  let collisions = 0;
  let manner: ReloadManner = { takesMs: USUAL_MS, fails: false };
  // Whatever an earlier process held was loaded when Asterisk started.
  let live = store.list(instance);
  return {
    isNeeded: () => isNeeded,
    need: () => {
      isNeeded = true;
    },
    begin() {
      const transaction = String(transactions.size + 1);
      // Of two at the same time, one fails.
      const isSecond = [...transactions.values()].includes('Processing');
      if (isSecond) collisions += 1;
      const fails = manner.fails || isSecond;
      transactions.set(transaction, 'Processing');
      setTimeout(() => {
        if (!fails) live = store.list(instance);
        isNeeded = fails;
        transactions.set(transaction, fails ? 'Failed' : 'Executed');
      }, manner.takesMs).unref();
      return transaction;
    },
    state: (transaction) => manner.says ?? transactions.get(transaction),
    seen: () => ({ extensions: live, reloads: transactions.size, collisions }),
    set: (next) => {
      manner = next;
    },
  };
}
