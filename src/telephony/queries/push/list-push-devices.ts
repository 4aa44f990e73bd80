/** A user's browsers that receive pushes, the key by which a browser subscribes, and what pushes may say. */
import type { Kernel, Storage } from '../../../kernel/kernel';
import type { PushDevicesAnswer } from '../../model/answers/push';
import type { Caller } from '../../model/contacts/contact';
import type { Telephony } from '../../parts';
import { mayTell, pushDevices } from '../../store/push/push-devices';
import { findSession } from '../portal/find-session-caller';

type Parts = Storage & Pick<Kernel, 'keys'> & Pick<Telephony, 'push' | 'settings'>;

/** With the token of the session that asks. */
export async function listPushDevices(telephony: Parts, by: Caller, token: string): Promise<PushDevicesAnswer> {
  const { mysql, push, settings } = telephony;
  const current = await findSession(telephony, { token, from: by.from, days: settings.sessionDays });
  const { publicKey } = push.isOn ? await push.keys() : { publicKey: null };
  const devices = await pushDevices.list(mysql, by.contactId);
  return {
    public_key: publicKey,
    devices: devices.map(({ id, sessionId, agent, createdAt, seenAt }) => ({
      id,
      agent,
      created_at: createdAt.toISOString(),
      seen_at: seenAt.toISOString(),
      current: sessionId === current?.id,
    })),
  };
}

export const getPushSettings = async ({ mysql }: Pick<Storage, 'mysql'>, by: Caller) => ({
  content: await mayTell(mysql, by.companyId),
});
