/** Connects to any one node of a Redis Cluster, for subscriptions: all nodes deliver what is published on one. */
import type { RedisHost, RedisOptions } from './address';
import { connectorTo } from './connector';

/** Each attempt goes to another node, so that a dead or silent node is left behind. */
export function anyNodeOf(nodes: () => readonly RedisHost[]): NonNullable<RedisOptions['Connector']> {
  // Processes start at different nodes.
  let turn = Math.floor(Math.random() * 1000);
  return connectorTo(() => {
    const all = nodes();
    return all[(turn += 1) % all.length]!;
  });
}
