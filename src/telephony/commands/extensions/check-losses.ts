/** Refuses orders for what the PBX would lose: fields that it cannot hold, and messages of mailboxes. */
import { ensure } from '../../../kernel/fault';
import type { Storage } from '../../../kernel/kernel';
import { lossInCalls, nameRefusal } from '../../model/extensions/backend-fields';
import { changed } from '../../model/extensions/extension-change';
import type { ExtensionBody } from '../../model/extensions/extension-draft';
import type { ExtensionChange } from '../../model/extensions/operation';
import { unseal } from '../../model/extensions/sealing';
import { emptiesMailbox, mustConfirm } from '../../model/extensions/voicemail-loss';
import { invalid } from '../../model/faults';
import type { Instance } from '../../model/sites/site';
import type { SealedExtension } from '../../store/extensions/extensions';

export function ensureKept({ backend }: Instance, { data = {} }: ExtensionBody, before?: SealedExtension): void {
  const { name } = data as { name?: string };
  const isNewName = name !== undefined && name !== before?.data['name'];
  const refusal = lossInCalls(backend, data, before?.data) ?? (isNewName ? nameRefusal(backend, name) : undefined);
  if (refusal !== undefined) throw invalid(refusal);
}

/** Returns whether the caller has confirmed it. Throws if that is needed: the worker looks again, at the PBX itself. */
export function mayEmptyMailbox(
  { secrets, clock }: Storage,
  { backend }: Instance,
  sealed: SealedExtension,
  change: ExtensionChange,
): boolean {
  if (change.body.discard_voicemail) return true;
  const before = unseal(secrets, sealed);
  const lost = emptiesMailbox(backend, before, changed(before, change, clock.now()));
  ensure(lost.length === 0, mustConfirm(lost));
  return false;
}
