/** Begins an event queue at the moment of a snapshot: its state and the events after it are together the whole truth. */
import { randomBytes } from 'node:crypto';
import { fairRule, Gate, type Party } from '../../kernel/gate';
import type { Kernel } from '../../kernel/kernel';
import { perKernel } from '../../kernel/per-kernel';
import { eventQueue, lifeOf } from '../actors/event-queue/event-queue';
import { keepQueue } from '../actors/event-queue/known-queues';
import { openRealmPolls, realmPolls } from '../actors/event-ring/realm-polls';
import { realmTenant } from '../model/realm';
import type { User } from '../model/user';
import { readInitialState } from '../queries/initial-state/initial-state';
import type { StateAsk } from '../queries/initial-state/part';
import { notificationBot } from './notification-bot';

export interface Registration extends Omit<StateAsk, 'systemBot'> {
  readonly expiryMs: number;
  /** Whose registrations wait behind each other. */
  readonly party: Party;
}

/** After an outage everybody registers at once: they must leave connections for those who do anything else. */
const gate = perKernel(({ settings }) => new Gate(fairRule(settings.mysqlConnections)));

export async function registerQueue(kernel: Kernel, by: User, ask: Registration): Promise<Record<string, unknown>> {
  const { state, eventNumber } = await gate(kernel).through(ask.party, async () => {
    const systemBot = await notificationBot(kernel, by.realmId);
    return readInitialState(kernel, by, { ...ask, systemBot });
  });
  // What the log holds beyond the snapshot is still to come, so beginning the queue after it loses nothing.
  const id = `${Math.floor(Date.now() / 1000)}:${randomBytes(12).toString('hex')}`;
  const tenant = realmTenant(by.realmId);
  // A queue cannot outlive the log it reads.
  const { eventLogWindowMs: longestMs } = kernel.settings;
  const life = lifeOf(Math.min(ask.expiryMs, longestMs));
  const [base, acked, floor] = [eventNumber, eventNumber, eventNumber];
  const queue = { userId: by.id, filters: ask.filters, base, acked, floor, life };
  const ref = eventQueue.at(kernel, tenant, id);
  const [now, doubts] = [Date.now(), openRealmPolls(kernel, by.realmId)?.doubts];
  const ended = await ref.ask('register', { id, queue, longestMs, own: ref.address });
  // The first poll finds it here, unless another node has it.
  if (doubts !== undefined) keepQueue(kernel, { id, realmId: by.realmId, ...queue }, now, doubts);
  if (ended.length > 0) await (await realmPolls(kernel, by.realmId)).announceEnd(ended);
  return { ...state, queue_id: id, last_event_id: -1 };
}
