/**
 * Numbered events for the sockets of all nodes. The process that committed them passes them to its own followers; the
 * Socket.IO adapter sends them to the other nodes. They may get lost or arrive in any order: each follower orders them
 * by number and reads missing ones from MySQL.
 */
import type { Tenant } from '../actor/address';
import { groupBy } from '../group';
import type { OutboxPublisher, Delivery, OutboxRow } from '../mysql/outbox';
import type { Pause } from '../pause';
import { decodeRow, encodeRow, eventsRow, type EventsRow } from './codec';

export const SOCKET_PUBLISHER = 'sockets';

/** An event for every socket that follows the tenant's log. Clients may ask for it again much later. */
export const socketEvent = (tenant: Tenant, body: string): Delivery => ({
  publisher: SOCKET_PUBLISHER,
  tenant,
  body,
  isReplayable: true,
});

/** Sends a tenant's encoded rows to all other nodes. It neither waits nor fails. */
export type Spread = (tenant: Tenant, rows: readonly string[]) => void;

/** Undefined stands for events of an unknown version. */
export type Receive = (row: EventsRow | undefined) => void;

export class SocketEvents implements OutboxPublisher {
  readonly name = SOCKET_PUBLISHER;
  spread: Spread;
  readonly #pause: Pause;
  readonly #followers = new Map<Tenant, Set<Receive>>();

  constructor(pause: Pause, spread: Spread) {
    this.#pause = pause;
    this.spread = spread;
  }

  async publish(rows: readonly OutboxRow[]): Promise<void> {
    await this.#pause('before-publish');
    const tenants = [...groupBy(rows, ({ tenant }) => tenant)].map(([tenant, own]) => ({
      tenant,
      rows: own.map(eventsRow).sort((a, b) => a.number - b.number),
    }));
    for (const { tenant, rows: sorted } of tenants) this.spread(tenant, sorted.map(encodeRow));
    // The client that caused the events is answered before this node's sockets are written to.
    await new Promise(setImmediate);
    for (const { tenant, rows: sorted } of tenants) this.#publish(tenant, sorted);
  }

  /** Takes rows that another process has sent. */
  receive(tenant: Tenant, rows: readonly string[]): void {
    if (this.#followers.has(tenant)) this.#publish(tenant, rows.map(decodeRow));
  }

  /** Passes a tenant's rows to `receive` until the returned function is called. */
  follow(tenant: Tenant, receive: Receive): () => void {
    const all = this.#followers.get(tenant) ?? new Set();
    this.#followers.set(tenant, all.add(receive));
    return () => {
      all.delete(receive);
      if (all.size === 0 && this.#followers.get(tenant) === all) this.#followers.delete(tenant);
    };
  }

  #publish(tenant: Tenant, rows: readonly (EventsRow | undefined)[]): void {
    for (const receive of this.#followers.get(tenant) ?? []) for (const row of rows) receive(row);
  }
}
