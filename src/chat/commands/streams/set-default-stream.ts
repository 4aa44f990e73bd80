/** Adds a stream to those that every new user is subscribed to, or removes it. */
import type { Kernel } from '../../../kernel/kernel';
import { privateDefault } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import { accessStreamByName } from '../../queries/streams/access-stream';
import * as streams from '../../store/streams/streams';
import { publishDefaultStreams } from './retire-stream';
import { lockStreams, settleStreams } from './settle-streams';

export async function setDefaultStream(
  kernel: Kernel,
  by: User,
  streamName: string,
  isDefault: boolean,
): Promise<void> {
  ensureAdmin(by);
  await settleStreams(kernel, async (tx) => {
    const { stream: found } = await accessStreamByName(tx.db, by, streamName, { admitAdmins: !isDefault });
    const [stream] = await lockStreams(tx, by.realmId, [found]);
    if (isDefault && stream!.isPrivate) throw privateDefault();
    if (stream!.isDefault === isDefault) return;
    await streams.update(tx.db, [stream!.id], { isDefault });
    await publishDefaultStreams(tx, stream!);
  });
}
