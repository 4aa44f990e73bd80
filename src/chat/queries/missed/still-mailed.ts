/** Which missed messages are still mailed, once it is time: the user may have changed that. */
import type { Database } from '../../../kernel/mysql/pool';
import { stillMailed } from '../../model/missed/missed-rules';
import type { MessageRef } from '../../model/reading/read-state';
import type { UserId } from '../../model/users/user';
import { mailedStreams } from '../../store/streams/subscriptions';
import * as settings from '../../store/users/user-settings';

export async function stillMailedTo<T extends MessageRef>(
  db: Database,
  userId: UserId,
  messages: readonly T[],
): Promise<T[]> {
  const own = await settings.ofUser(db, userId);
  return messages.filter(stillMailed(own, new Set(await mailedStreams(db, userId))));
}
