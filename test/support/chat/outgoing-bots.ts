/** Outgoing webhook bots of the demo organisation, their program on another server, and workers that call it. */
import { basicHeader } from '../http/client';
import { userOf, type TestUser } from './chat';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer, type Received, type Respond } from '../servers/other-server';
import { until } from '../until';
import { startWorkers } from '../kernel/workers';

export interface OutgoingStage {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly owner: TestUser;
  readonly member: TestUser;
  readonly other: OtherServer;
  /** A bot of the member whose program responds in this way. */
  newBot(respond: Respond, form?: Readonly<Record<string, unknown>>): Promise<OutgoingBot>;
  /** Contents of the messages in a topic of the stream `test`, with their senders. */
  topic(topic: string): Promise<Said[]>;
  close(): Promise<void>;
}

export interface OutgoingBot {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly headers: Record<string, string>;
  /** The requests that its program received. */
  received(): Received[];
}

export interface Said {
  readonly sender: string;
  readonly content: string;
}

/** A program that gives every request the same response. */
export const saying =
  (answer: unknown, status = 200): Respond =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));

export async function openOutgoingStage(environment: Environment = {}): Promise<OutgoingStage> {
  const other = await openOtherServer();
  const cluster = await openCluster({ ...OTHER_SERVER, RATE_LIMIT: 'off', ...environment });
  await cluster.seed();
  const node = await cluster.node();
  const [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
  await startWorkers(cluster, 'chat-outgoing');
  let made = 0;
  return {
    cluster,
    node,
    owner,
    member,
    other,
    async newBot(respond, form = {}) {
      const short = `out${(made += 1)}`;
      other.at(`/${short}`, respond);
      const fields = { full_name: `Bot ${short}`, short_name: short, bot_type: 3, payload_url: other.url(`/${short}`) };
      const { body } = await member.post('/bots', { ...fields, ...form });
      const { bots } = (await member.get('/bots')).body as { bots: { user_id: number; username: string }[] };
      const { username: email } = bots.find(({ user_id: id }) => id === body.user_id)!;
      return {
        id: body.user_id as number,
        email,
        name: fields.full_name,
        headers: basicHeader(email, body.api_key as string),
        received: () => other.received.filter(({ path }) => path === `/${short}`),
      };
    },
    async topic(topic) {
      const narrow = [
        { operator: 'stream', operand: 'test' },
        { operator: 'topic', operand: topic },
      ];
      const query = { anchor: 10_000_000_000_000_000, num_before: 100, num_after: 0, apply_markdown: false, narrow };
      const { messages } = (await member.get('/messages', query)).body as {
        messages: { sender_email: string; content: string }[];
      };
      return messages.map(({ sender_email: sender, content }) => ({ sender, content }));
    },
    async close() {
      await cluster.close();
      await other.close();
    },
  };
}

/** Waits until a topic has this many messages. */
export const messagesIn = (stage: OutgoingStage, name: string, count: number): Promise<Said[]> =>
  until(
    () => stage.topic(name),
    ({ length }) => length >= count,
  );
