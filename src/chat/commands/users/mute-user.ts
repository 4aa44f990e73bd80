/** Mutes and unmutes users for a reader. */
import { ensure } from '../../../kernel/fault';
import type { Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { noSuchUser } from '../../model/faults';
import { MAX_MESSAGES, NEWEST_ANCHOR } from '../../model/reading/anchor';
import type { Term } from '../../model/reading/narrow';
import {
  cannotMuteSelf,
  MAX_MUTED_USERS,
  tooManyMuted,
  userAlreadyMuted,
  userNotMuted,
} from '../../model/users/muted-users';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import * as mutedUsers from '../../store/users/muted-users';
import * as users from '../../store/users/users';
import { updateFlagsInNarrow } from '../reading/update-flags-narrow';

export async function muteUser(chat: Sending, by: User, id: number): Promise<void> {
  ensure(id !== by.id, cannotMuteSelf());
  await changing(chat, by, id, async (tx, { id: mutedId }) => {
    const muted = await mutedUsers.ofUser(tx.db, by.id);
    ensure(!muted.some((each) => each.id === mutedId), userAlreadyMuted());
    ensure(muted.length < MAX_MUTED_USERS, tooManyMuted());
    await mutedUsers.insert(tx.db, by, mutedId, Math.floor(chat.clock.now().getTime() / 1000));
  });
  await markAllRead(chat, by, id);
}

export const unmuteUser = (chat: Sending, by: User, id: number): Promise<void> =>
  changing(chat, by, id, async (tx, muted) => {
    ensure(await mutedUsers.remove(tx.db, by.id, muted.id), userNotMuted());
  });

/** The event holds the whole list, so changes must keep their order. */
async function changing(
  chat: Sending,
  by: User,
  id: number,
  change: (tx: Tx, muted: User) => Promise<void>,
): Promise<void> {
  const muted = await users.byId(chat.mysql, by.realmId, id);
  ensure(muted !== undefined, noSuchUser());
  await chat.transaction(async (tx) => {
    await users.lock(tx.db, by.realmId, by.id);
    await change(tx, muted);
    const now = await mutedUsers.ofUser(tx.db, by.id);
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'muted_users', muted_users: now }));
  });
  chat.muters.delete(by.realmId);
}

/** What was written before. The rest follows as it is sent. */
async function markAllRead(chat: Sending, by: User, id: number): Promise<void> {
  const narrow: Term[] = [
    { operator: 'sender', operand: id, negated: false },
    { operator: 'is', operand: 'unread', negated: false },
  ];
  const seeking = { anchor: NEWEST_ANCHOR, before: MAX_MESSAGES, after: 0, narrow };
  for (let isDone = false; !isDone;) {
    const { found_oldest } = await updateFlagsInNarrow(chat, by, { operation: 'add', flag: 'read' }, seeking);
    isDone = found_oldest === true;
  }
}
