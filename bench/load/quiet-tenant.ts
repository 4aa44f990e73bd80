/** A tenant with little load: times until its message, delivery and text are published, one at a time. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';
import { latency } from '../harness/statistics';
import { connectClients } from './sockets';
import { succeeded, TenantClient, type Tenant } from './tenant-client';

export interface QuietTenant extends Shape {
  /** It posts to the first node and polls the second. */
  readonly options: {
    readonly tenant: Tenant;
    readonly ports: readonly [number, number];
    /** A bare Koa server, which the noisy tenant does not use. */
    readonly bare: number;
    readonly databaseUrl: string;
  };
  readonly ready: null;
  readonly order: { readonly milliseconds: number };
  readonly report: Measurement;
}

/** Keeps it far below any limit of its own. */
const PAUSE_MS = 60;
/** About as many as a worker sends for a delivery or a text, one after another. */
const STATEMENTS = 25;

program<QuietTenant>(async ({ tenant, ports: [posts, polls], bare, databaseUrl }) => {
  const client = new TenantClient(tenant);
  const ask = async (answer: ReturnType<TenantClient['chat']>) =>
    JSON.parse(succeeded(await answer).body) as Record<string, unknown>;

  async function openQueue(person: number): Promise<(text: string) => Promise<void>> {
    const queue = await ask(client.chat(polls, '/register', person, { event_types: '["message"]' }));
    let last = Number(queue['last_event_id']);
    return async (text) => {
      for (;;) {
        const query = `queue_id=${String(queue['queue_id'])}&last_event_id=${last}`;
        const { body } = succeeded(await client.chat(polls, `/events?${query}`, person));
        const { events } = JSON.parse(body) as { events: { id: number }[] };
        last = Math.max(last, ...events.map(({ id }) => id));
        if (body.includes(text)) return;
      }
    };
  }

  async function openCompany(): Promise<(text: string) => Promise<void>> {
    const [socket] = await connectClients([polls], 1, `demo-key-${tenant.company}`);
    return (awaited) =>
      new Promise((resolve) => {
        const hear = ({ text }: { text: string }) => {
          if (text !== awaited) return;
          socket!.off('texting.message.new', hear);
          resolve();
        };
        socket!.on('texting.message.new', hear);
      });
  }

  async function lane(end: number, arrives: (text: string) => Promise<void>, post: (text: string) => Promise<unknown>) {
    const took: number[] = [];
    while (performance.now() < end) {
      const text = randomBytes(8).toString('hex');
      const began = performance.now();
      await Promise.all([arrives(text), post(text)]);
      took.push(performance.now() - began);
      await wait(PAUSE_MS);
    }
    return took;
  }

  const nobody = () => Promise.resolve();
  const database = await createConnection({ uri: databaseUrl });
  async function sendStatements(): Promise<void> {
    for (let count = 0; count < STATEMENTS; count += 1) await database.query('SELECT 1');
  }
  const [sent, delivered, texted] = [await openQueue(0), await openQueue(1), await openCompany()];
  return {
    ready: null,
    async run({ milliseconds }) {
      const end = performance.now() + milliseconds;
      const lanes = {
        send: lane(end, sent, async (text) => succeeded(await client.send(posts, 0, text))),
        webhook: lane(end, delivered, async (text) => succeeded(await client.deliver(posts, 0, text))),
        text: lane(end, texted, async (text) => succeeded(await client.text(posts, text))),
      };
      const controls = {
        bare: lane(end, nobody, async () => succeeded(await client.ask(bare, '/'))),
        statements: lane(end, nobody, sendStatements),
      };
      const figures: Record<string, number> = {};
      let units = 0;
      for (const [name, took] of Object.entries({ ...lanes, ...controls })) {
        const { p50, p95 } = latency(await took);
        Object.assign(figures, { [`${name} p50`]: p50, [`${name} p95`]: p95 });
        if (name in lanes) units += (await took).length;
      }
      return { units, figures };
    },
  };
});
