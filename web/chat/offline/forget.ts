/** Where this browser keeps what was received, and how it forgets it. */
/** Also the cache of web/worker/shared-files.ts. */
export const SHARED = 'partyline-shared';
export const DATABASE = 'partyline-kept';

import { forgetPush } from '../../shared/push/push-device';

/** Nobody is signed in: nothing that was received stays in this browser. */
export function forgetKept(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
    // Without TLS there is no worker, and nothing that it kept.
    void globalThis.caches?.delete(SHARED).catch(() => undefined);
    void forgetPush('/').catch(() => undefined);
  } catch {
    // A browser without storage has kept nothing.
  }
}
