/** Sends events to the other nodes: through the adapter of the node's sockets, or by an emitter if there are none. */
import type * as RedisEmitter from '@socket.io/redis-emitter';
import type { Redis } from 'ioredis';
import type { Server } from 'socket.io';
import type { Tenant } from '../actor/address';
import type { SocketEvents, Spread } from '../event-log/socket-events';
import { adapterClient } from './adapter-client';

const EVENTS = 'events';

export const adapterKey = (namespace: string): string => `${namespace}:sockets`;

/** For workers and commands, and for a node until its sockets are open. */
export function spreadByEmitter(redis: Redis, namespace: string): Spread {
  let emitter: RedisEmitter.Emitter | undefined;
  return (tenant, rows) => {
    if (!emitter) {
      // Loaded with the first event: most processes never have one.
      const { Emitter } = require('@socket.io/redis-emitter') as typeof RedisEmitter;
      emitter = new Emitter(adapterClient(redis), { key: adapterKey(namespace) });
    }
    emitter.serverSideEmit(EVENTS, tenant, rows);
  };
}

export function spreadByServer(io: Server, events: SocketEvents): void {
  io.on(EVENTS, (tenant: Tenant, rows: readonly string[]) => events.receive(tenant, rows));
  const spread: Spread = (tenant, rows) => void io.serverSideEmit(EVENTS, tenant, rows);
  events.spread = spread;
}
