// The configuration that Asterisk has loaded behind a FreePBX. Changes reach it only by a reload in the background.
import type { JsonObject, Store } from '../store';

type State = 'Processing' | 'Executed' | 'Failed';

/** How the next reloads behave. */
export interface ReloadManner {
  takesMs: number;
  fails: boolean;
  /** Reports this for every reload, whatever its result. */
  says?: string;
}

export interface Reloads {
  isNeeded(): boolean;
  need(): void;
  /** Returns the transaction id to query. */
  begin(): string;
  state(transaction: string): string | undefined;
  /** What phones can register with, the number of reloads, and how many failed because another one was running. */
  seen(): { extensions: JsonObject[]; reloads: number; collisions: number };
  set(manner: ReloadManner): void;
}

const USUAL_MS = 50;

export function openReloads(store: Store, instance: string): Reloads {
  const transactions = new Map<string, State>();
  let isNeeded = false;
  let collisions = 0;
  let manner: ReloadManner = { takesMs: USUAL_MS, fails: false };
  // What an earlier process stored was loaded when Asterisk started.
  let live = store.list(instance);
  return {
    isNeeded: () => isNeeded,
    need: () => {
      isNeeded = true;
    },
    begin() {
      const transaction = String(transactions.size + 1);
      // Of two concurrent reloads, the second fails.
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
