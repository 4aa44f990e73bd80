/** Two web nodes as separate processes, with both demo companies, a conversation each, and clients of both. */
import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import { bearer } from '../http/client';
import type { Cluster, Environment } from '../kernel/cluster';
import { KEY_ONE, KEY_TWO, openPatientCluster } from './companies';
import { startMainNode, type MainNode } from '../processes/main-node';
import { followTexts, insistOnTexting, type TextingClient } from './texting-client';
import { until } from '../until';

const NUMBERS = { [KEY_ONE]: '+15550100001', [KEY_TWO]: '+15550100002' };

export interface TextingCluster {
  readonly cluster: Cluster;
  readonly nodes: MainNode[];
  readonly urls: () => string[];
  /** Replaces a node by a new one; the test ends the old one. */
  readonly replace: (place: number, more?: Environment) => Promise<void>;
  /** Clients of the first company, half of them on each node, and one of the second. */
  readonly listen: (count?: number) => Promise<{ own: TextingClient[]; other: TextingClient }>;
  readonly say: (text: string, key?: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The environments of the nodes differ as the test says. */
export async function openTextingCluster(
  environment: Environment,
  each: readonly Environment[] = [{}, {}],
): Promise<TextingCluster> {
  const cluster = await openPatientCluster({ SOCKET_AUTH_LIMIT: 'off', ...environment });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  const nodes = await Promise.all(each.map((more) => startMainNode({ ...cluster.environment, ...more })));
  const conversations = new Map<string, string>();
  for (const [key, from_number] of Object.entries(NUMBERS)) {
    const draft = { from_number, recipients: [{ number: '+15550209999' }] };
    const made = await nodes[0]!.call('/texting/conversations', { headers: bearer(key), json: draft });
    conversations.set(key, (made.body as { id: string }).id);
  }
  const urls = () => nodes.map(({ url }) => url);
  const clients: TextingClient[] = [];
  return {
    cluster,
    nodes,
    urls,
    async replace(place, more = {}) {
      nodes[place] = await startMainNode({ ...cluster.environment, ...more });
    },
    async listen(count = 4) {
      const own = await Promise.all(Array.from({ length: count }, (_, place) => followTexts(urls, KEY_ONE, place)));
      const other = await followTexts(urls, KEY_TWO);
      clients.push(...own, other);
      return { own, other };
    },
    say: (text, key = KEY_ONE) => insistOnTexting(urls, conversations.get(key)!, { key, text }),
    async close() {
      for (const client of clients) client.stop();
      await cluster.close();
    },
  };
}

/** Every client received exactly these texts, once each and in order, with numbers without a gap. */
export async function expectReceived(clients: readonly TextingClient[], texts: readonly string[]): Promise<void> {
  for (const client of clients) {
    await until(
      () => client.texts.length,
      (count) => count >= texts.length,
    );
    expect(client.problems).toEqual([]);
    expect(client.texts).toEqual(texts);
  }
}
