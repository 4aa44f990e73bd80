/** Subscribes to some streams and ends subscriptions to others: both or neither. */
import type { Kernel } from '../../kernel/kernel';
import type { User } from '../model/user';
import { settleStreams } from './settle-streams';
import {
  announce,
  join,
  MOST_PAIRS,
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
  kernel: Kernel,
  by: User,
  add: SubscribeRequest,
  remove: UnsubscribeRequest,
): Promise<Changed> {
  const leaving = await planUnsubscribe(kernel, by, remove);
  const { wanted, users } = await planSubscribe(kernel, by, add);
  const pairs = users.length * wanted.length + leaving.users.length * leaving.names.length;
  if (pairs > MOST_PAIRS) return changeInTurn(kernel, by, add, remove);
  const { joined, left } = await settleStreams(kernel, async (tx) => ({
    joined: await join(tx, kernel, by, { ...add, streams: wanted, batch: users, made: [] }),
    left: await leave(tx, by, { names: leaving.names, batch: leaving.users, isFirst: true }),
  }));
  return { joined: await announce(kernel, by, joined, { users, shouldAnnounce: add.shouldAnnounce }), left };
}

/** More than fits a transaction: what would fail the second half is found out before the first. */
async function changeInTurn(
  kernel: Kernel,
  by: User,
  add: SubscribeRequest,
  remove: UnsubscribeRequest,
): Promise<Changed> {
  await checkUnsubscribe(kernel, by, remove);
  return { joined: await subscribe(kernel, by, add), left: await unsubscribe(kernel, by, remove) };
}
