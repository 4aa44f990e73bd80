/**
 * Plain connections to the primary that has one slot of a Redis Cluster, for a library whose keys are all in that slot.
 * BullMQ resets a connection whose blocking read is overdue, and waits for `connect()`. That of ioredis' `Cluster` is
 * never settled if its ready check asks a server that is frozen: the worker would wait for ever, though the `Cluster`
 * has connected again by itself. The `connect()` of a plain connection always ends.
 */
import type { Cluster } from 'ioredis';
import type { Socket } from 'node:net';
import type { RedisHost, RedisOptions } from './address';
import { connectorTo } from './connector';

export interface SlotParts {
  readonly shards: Cluster;
  readonly key: string;
  /** Where to connect until the shards know the slot's primary. */
  readonly anyone: () => RedisHost;
}

/** Options for connections to the primary that has the key's slot, as the shards know it at that moment. */
export async function atSlotPrimary({ shards, key, anyone }: SlotParts): Promise<RedisOptions> {
  // Any server can tell, and one of them may be unreachable.
  const slot = await Promise.any(shards.nodes('master').map((server) => server.cluster('KEYSLOT', key)));
  const open = new Map<Socket, string>();
  const owner = (): string | undefined => shards.slots[slot]?.[0];

  // A connection to a frozen server would notice nothing, and one in the making would wait for its answer.
  shards.on('refresh', () => {
    for (const [stream, place] of open) if (place !== owner()) stream.destroy();
  });

  return {
    Connector: connectorTo(
      () => hostOf(owner()) ?? anyone(),
      (stream, place) => {
        open.set(stream, `${place.host}:${place.port}`);
        stream.once('close', () => open.delete(stream));
      },
    ),
  };
}

function hostOf(place: string | undefined): RedisHost | undefined {
  const [, host, port] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

/**
 * Connects to any one node of a Redis Cluster, for subscriptions: all nodes deliver what is published on one. Each
 * attempt goes to another node, so that a dead or silent node is left behind.
 */
export function anyNodeOf(nodes: () => readonly RedisHost[]): NonNullable<RedisOptions['Connector']> {
  // Processes start at different nodes.
  let turn = Math.floor(Math.random() * 1000);
  return connectorTo(() => {
    const all = nodes();
    return all[(turn += 1) % all.length]!;
  });
}
