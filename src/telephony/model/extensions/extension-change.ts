/** What becomes of an extension by a change. */
import type { Extension } from './extension';
import { changedData, credentialsFor, purposeFor } from './extension-draft';
import type { ExtensionChange } from './operation';

export function changed(before: Extension, change: ExtensionChange, updatedAt: Date): Extension {
  const { mode, body } = change;
  return {
    ...before,
    userId: change.userId === undefined ? before.userId : change.userId,
    locationId: change.locationId ?? before.locationId,
    purpose: purposeFor(body, mode === 'replace' ? undefined : before.purpose),
    data: changedData(mode, body, before.number, before.data),
    credentials: credentialsFor(body, before.credentials),
    updatedAt,
  };
}
