/** Registers and deletes event queues. */
import { randomBytes } from 'node:crypto';
import type { Party } from '../../../kernel/admission/gate';
import { positionOf } from '../../../kernel/event-log/position';
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import { eventQueue, lifeOf } from '../../actors/event-queue/event-queue';
import { badQueue, notYourQueue } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { readInitialState } from '../../queries/events/initial-state/initial-state';
import type { StateRequest } from '../../queries/events/initial-state/part';
import { notificationBot } from '../messages/notification-bot';

type Parts = Storage & Keyspace & Pick<Chat, 'polls' | 'queues' | 'registrations' | 'settings' | 'systemBots'>;

export interface Registration extends Omit<StateRequest, 'systemBot'> {
  readonly expiryMs: number;
  /** Whether the ids of events are positions in the log, as for every such queue, instead of counting from its base. */
  readonly hasComparableIds?: boolean | undefined;
  /** Registrations of the same party wait for each other. */
  readonly party: Party;
}

/** Registers at the moment of a snapshot, so that initial state and later events are complete. */
export async function registerQueue(chat: Parts, by: User, request: Registration): Promise<Record<string, unknown>> {
  const { state, eventNumber } = await chat.registrations.through(request.party, async () => {
    const systemBot = await notificationBot(chat, by.realmId);
    return readInitialState(chat, by, { ...request, systemBot });
  });
  // Events after the snapshot are still in the log, so creating the queue afterwards loses nothing.
  const id = `${Math.floor(Date.now() / 1000)}:${randomBytes(12).toString('hex')}`;
  const tenant = realmTenant(by.realmId);
  // A queue cannot outlive the log it reads.
  const { eventLogWindowMs: maxMs } = chat.settings;
  const life = lifeOf(Math.min(request.expiryMs, maxMs));
  const acked = positionOf(eventNumber);
  const base = request.hasComparableIds ? -1 : acked;
  const queue = { userId: by.id, filters: request.filters, base, acked, floor: acked, life };
  const ref = eventQueue.at(tenant, id);
  const [now, generation] = [Date.now(), chat.polls.getOpen(by.realmId)?.generation];
  const ended = await ref.request(chat, 'register', { id, queue, maxMs, own: ref.address });
  // Caches the queue for its first poll, unless another node serves that.
  if (generation !== undefined) chat.queues.keep({ id, realmId: by.realmId, ...queue }, now, generation);
  if (ended.length > 0) await (await chat.polls.open(by.realmId)).announceEnd(ended);
  return { ...state, queue_id: id, last_event_id: acked - base - 1 };
}

/** A poll that waits on the queue, on any node, learns that the queue is gone. */
export async function dropQueue(chat: Keyspace & Pick<Chat, 'polls' | 'queues'>, by: User, id: string): Promise<void> {
  const ref = eventQueue.at(realmTenant(by.realmId), id);
  const queue = await ref.request(chat, 'read', null);
  if (!queue) throw badQueue(id);
  if (queue.userId !== by.id) throw notYourQueue();
  const existed = await ref.request(chat, 'drop', { id, userId: by.id });
  chat.queues.delete(id);
  await (await chat.polls.open(by.realmId)).announceEnd([id]);
  if (!existed) throw badQueue(id);
}
