/** Turns pushes on and off for a browser of a user, and tries them. The owner decides what they may say. */
import { ensure } from '../../../kernel/fault';
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { RequestParts } from '../../../kernel/mailbox/request';
import type { Transact } from '../../../kernel/mysql/transaction';
import { deviceChanges, ensureReachable } from '../../../kernel/push/change-devices';
import type { PushAddress } from '../../../kernel/push/push-address';
import { noSuchDevice } from '../../../kernel/push/push-faults';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { portalPushes } from '../../actors/mailboxes';
import { companyTenant } from '../../model/companies/company';
import type { Caller } from '../../model/contacts/contact';
import { existing, notOwner } from '../../model/faults';
import { telephonyWords } from '../../model/texts/telephony-words';
import type { Telephony } from '../../parts';
import { findSession } from '../../queries/portal/find-session-caller';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as contacts from '../../store/contacts/contacts';
import * as sessions from '../../store/portal/sessions';
import { pushDevices, setMayTell } from '../../store/push/push-devices';

type Parts = Storage & Pick<Kernel, 'keys'> & Pick<Telephony, 'push' | 'settings'>;

export interface WantedDevice extends PushAddress {
  readonly agent: string;
  /** Of the page. */
  readonly language: string;
  /** Of the session that asks. */
  readonly token: string;
  /** Whether it says that it is still there: then it is refused if it was removed, or its subscription ended. */
  readonly isRenewal: boolean;
}

const changes = deviceChanges(pushDevices, portalPushes, 'missing');

export async function addPushDevice(telephony: Parts, by: Caller, wanted: WantedDevice) {
  const { token, language, isRenewal, ...device } = wanted;
  const { push, secrets, settings } = telephony;
  const { companyId, contactId, from } = by;
  ensureReachable(push, device);
  const shown = { token, from, days: settings.sessionDays };
  const session = existing(await findSession(telephony, shown), sessionEnded);
  return telephony.transaction(async ({ db }) => {
    // So that the number of devices is bounded, and none outlives a session that ends now.
    existing(await contacts.lock(db, companyId, contactId), sessionEnded);
    const { id: sessionId } = existing(await sessions.byId(db, session.id, settings.sessionDays), sessionEnded);
    const isWanted = !isRenewal || (await pushDevices.isKnown(db, secrets, contactId, device));
    ensure(isWanted, noSuchDevice('missing'));
    const owner = { company_id: companyId, contact_id: contactId };
    const more = { language: telephonyWords(language).language };
    const id = await pushDevices.put(db, secrets, owner, { ...device, sessionId, more });
    return { device_id: id };
  });
}

export const removePushDevice = ({ mysql }: Pick<Storage, 'mysql'>, by: Caller, id: number): Promise<void> =>
  changes.remove(mysql, { owner: by.contactId, id });

export const testPushDevice = (kernel: RequestParts, by: Caller, id: number): Promise<void> =>
  changes.test(kernel, companyTenant(by.companyId), { owner: by.contactId, id });

export async function allowPushContent(transact: Transact, by: Caller, isAllowed: boolean): Promise<void> {
  ensure(by.isOwner, notOwner());
  await transact(async ({ db }) => {
    await companies.lock(db, by.companyId);
    await setMayTell(db, by.companyId, isAllowed);
    const detail = { fields: ['push_content'] };
    await audit.record(db, by, { action: 'company.update', object: by.companyId, detail });
  });
}
