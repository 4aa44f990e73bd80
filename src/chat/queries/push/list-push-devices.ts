/** A user's devices that receive pushes, and the key by which a browser subscribes. */
import type { Storage } from '../../../kernel/kernel';
import type { PushDevicesAnswer } from '../../model/answers/push';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { pushDevices } from '../../store/push/push-devices';
import { findSessionId } from '../accounts/sessions';

type Parts = Storage & Pick<Chat, 'push' | 'sessionDays'>;

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** With the token of the session that asks. */
export async function listPushDevices(chat: Parts, by: User, token: string | undefined): Promise<PushDevicesAnswer> {
  const { mysql, push } = chat;
  const current = token === undefined ? undefined : await findSessionId(chat, token);
  const { publicKey } = push.isOn ? await push.keys() : { publicKey: null };
  const devices = await pushDevices.list(mysql, by.id);
  return {
    public_key: publicKey,
    devices: devices.map(({ id, sessionId, agent, createdAt, seenAt }) => ({
      id,
      agent,
      created_at: seconds(createdAt),
      seen_at: seconds(seenAt),
      current: sessionId !== null && sessionId === current,
    })),
  };
}
