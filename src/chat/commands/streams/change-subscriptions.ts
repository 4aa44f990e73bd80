/** Subscribes to some streams and unsubscribes from others: both or neither. */
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { settleStreams } from './settle-streams';
import {
  announce,
  join,
  MAX_PAIRS,
  planSubscribe,
  subscribe,
  type Subscribed,
  type SubscribeRequest,
} from './subscribe';
import {
  checkUnsubscribe,
  leave,
  planUnsubscribe,
  unsubscribe,
  type Unsubscribed,
  type UnsubscribeRequest,
} from './unsubscribe';

export interface Changed {
  readonly joined: Subscribed;
  readonly left: Unsubscribed;
}

export async function changeSubscriptions(
  chat: Sending,
  by: User,
  add: SubscribeRequest,
  remove: UnsubscribeRequest,
): Promise<Changed> {
  const leaving = await planUnsubscribe(chat.mysql, by, remove);
  const { wanted, users } = await planSubscribe(chat, by, add);
  const pairs = users.length * wanted.length + leaving.users.length * leaving.names.length;
  if (pairs > MAX_PAIRS) return changeInTurn(chat, by, add, remove);
  const { joined, left } = await settleStreams(chat.transaction, async (tx) => ({
    joined: await join(tx, chat.clock, by, { ...add, streams: wanted, batch: users, made: [] }),
    left: await leave(tx, by, { names: leaving.names, batch: leaving.users, isFirst: true }),
  }));
  return { joined: await announce(chat, by, joined, { users, shouldAnnounce: add.shouldAnnounce }), left };
}

/** Too many for one transaction, so everything that could fail the second half is checked before the first. */
async function changeInTurn(
  chat: Sending,
  by: User,
  add: SubscribeRequest,
  remove: UnsubscribeRequest,
): Promise<Changed> {
  await checkUnsubscribe(chat.mysql, by, remove);
  return { joined: await subscribe(chat, by, add), left: await unsubscribe(chat, by, remove) };
}
