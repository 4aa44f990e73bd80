/** A node with the demo data, for tests that write their requests to its port byte by byte. */
import { openCluster } from '../kernel/cluster';

export interface BareNode {
  readonly port: number;
  /** The value of the Authorization header, of a demo member of chat. */
  readonly authorization: string;
  close(): Promise<void>;
}

export async function openBareNode(): Promise<BareNode> {
  const cluster = await openCluster();
  await cluster.seed();
  const node = await cluster.node();
  const { Authorization: authorization } = await node.basic('member@example.com');
  return { port: node.port, authorization, close: () => cluster.close() };
}
