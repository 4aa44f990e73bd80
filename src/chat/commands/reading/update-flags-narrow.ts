/** Sets or clears a user's flag on the messages of a narrow around an anchor. */
import type { Storage } from '../../../kernel/kernel';
import { FLAG_NAMES, type FlagName } from '../../model/messages/message';
import { hasFlag, hasReceived, isUnread } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import { type Seeking, type Sought, seekMessages } from '../../queries/reading/seek-messages';
import * as readState from '../../store/reading/read-state';
import { checkFlagChange, type FlagChange, updateFlags } from './update-flags';

/** Of one transaction. */
const MAX_AT_ONCE = 1000;

export async function updateFlagsInNarrow(
  kernel: Storage,
  by: User,
  change: Pick<FlagChange, 'operation' | 'flag'>,
  seeking: Seeking,
): Promise<Record<string, unknown>> {
  checkFlagChange(change);
  const sought = await seekMessages(kernel.mysql, by, seeking);
  const { messages, found_oldest, found_newest } = sought.found;
  const changing = await changingOf(kernel, by, change, sought);
  for (let start = 0; start < changing.length; start += MAX_AT_ONCE) {
    const messageIds = changing.slice(start, start + MAX_AT_ONCE);
    await updateFlags(kernel.transaction, by, { ...change, messageIds });
  }
  return {
    processed_count: messages.length,
    updated_count: changing.length,
    first_processed_id: messages.at(0)?.id ?? null,
    last_processed_id: messages.at(-1)?.id ?? null,
    found_oldest,
    found_newest,
  };
}

/** Messages that the user has received, and whose flag is not yet what it should be. */
async function changingOf(
  { mysql }: Storage,
  by: User,
  { operation, flag }: Pick<FlagChange, 'operation' | 'flag'>,
  { scope: { state }, found }: Sought,
): Promise<number[]> {
  const received = found.messages.filter((ref) => hasReceived(state, ref));
  if (received.length === 0) return [];
  const marks = await readState.marksOf(mysql, by.id, received);
  const name = FLAG_NAMES.find((each): each is FlagName => each === flag);
  const isSet = (ref: (typeof received)[number]) =>
    name === undefined ? !isUnread(state, ref, marks) : hasFlag(state, ref, marks, name);
  return received.filter((ref) => isSet(ref) !== (operation === 'add')).map(({ id }) => id);
}
