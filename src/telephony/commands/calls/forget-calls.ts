/** Deletes calls and recordings that are older than their company wants them: first the sound on the PBX, then the row. */
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { Wire } from '../../../kernel/text/wire';
import { PbxError } from '../../actors/pbx-instance/driver';
import type { callRetention } from '../../model/answers/calls';
import type { Caller } from '../../model/contacts/contact';
import { invalid, notOwner } from '../../model/faults';
import type { Telephony } from '../../parts';
import * as audit from '../../store/companies/audit';
import * as retention from '../../store/calls/retention';
import * as calls from '../../store/calls/calls';
import * as sites from '../../store/sites/sites';

type Parts = Storage &
  Pick<Kernel, 'lifecycle' | 'log'> &
  Pick<Telephony, 'drivers'> & { readonly settings: { readonly pbxCallMs: number } };

const AT_ONCE = 200;

export async function forgetOldCalls(parts: Parts): Promise<void> {
  for (const rule of await retention.rules(parts.mysql)) {
    if (parts.lifecycle.draining.aborted) return;
    await forgetOf(parts, rule);
  }
  // Of instances that were removed.
  while ((await retention.removeOrphans(parts.mysql, AT_ONCE)) === AT_ONCE);
}

async function forgetOf(parts: Parts, rule: retention.Rule): Promise<void> {
  const { mysql, lifecycle } = parts;
  const away = new Set<string>();
  while (!lifecycle.draining.aborted) {
    const old = await retention.oldRecordings(mysql, rule, [...away], AT_ONCE);
    for (const each of old) if (!away.has(each.pbx) && !(await isRemoved(parts, each))) away.add(each.pbx);
    if (old.length < AT_ONCE) break;
  }
  // A call whose recording could not be deleted yet stays, so that it is not forgotten.
  while (!lifecycle.draining.aborted && (await retention.removeOld(mysql, rule, AT_ONCE)) === AT_ONCE);
}

async function isRemoved({ mysql, drivers, log, settings }: Parts, old: retention.OldRecording): Promise<boolean> {
  const instance = await sites.instanceByUuid(mysql, old.pbx);
  try {
    const sounds = instance && drivers.callsOf(instance)?.sounds;
    await sounds?.remove(old.recording, { key: 'calls', deadlineMs: settings.pbxCallMs });
    await calls.forgetRecording(mysql, [old.id]);
    return true;
  } catch (error) {
    if (!(error instanceof PbxError)) throw error;
    log.debug({ error, pbx: old.pbx }, 'could not delete old recordings; trying again later');
    return false;
  }
}

type Retention = Wire<typeof callRetention>;

export async function changeRetention(
  kernel: Storage,
  by: Caller,
  { keep_days, keep_recordings_days }: { readonly [K in keyof Retention]?: Retention[K] | undefined },
): Promise<Retention> {
  ensure(by.isOwner, notOwner());
  return kernel.transaction(async ({ db }) => {
    const before = await retention.of(db, by.companyId);
    const callDays = keep_days === undefined ? before.callDays : keep_days;
    const recordingDays = keep_recordings_days === undefined ? before.recordingDays : keep_recordings_days;
    const isLonger = callDays !== null && recordingDays !== null && recordingDays > callDays;
    ensure(!isLonger, invalid('keep_recordings_days: must not be more than keep_days'));
    await retention.set(db, by.companyId, { callDays, recordingDays });
    const detail = { keep_days: callDays, keep_recordings_days: recordingDays };
    await audit.record(db, by, { action: 'call.retention', object: by.companyId, detail });
    return detail;
  });
}
