/** Ours: bots with deliveries in the database. Fills inboxes and waits until workers have emptied them. */
import { setTimeout as wait } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../config';
import { createUser } from '../../src/chat/commands/users/create-user';
import { botInboxes } from '../../src/chat/actors/mailboxes';
import { realmTenant } from '../../src/chat/model/organisation/realm';
import type { Chat } from '../../src/chat/parts';
import { INCOMING_WEBHOOK, type UserId } from '../../src/chat/model/users/user';
import { getRealm } from '../../src/chat/queries/organisation/find-realm';
import { helloworld } from '../../src/chat/integrations/helloworld/helloworld';
import { noticesOf } from '../../src/chat/integrations/integration';
import { WRITTEN } from '../../src/kernel/mailbox/mailbox';
import { openKernel, type Kernel } from '../../src/kernel/kernel';
import { openProducts } from '../../src/kernel/product';
import { productsOf } from '../../src/products';
import type { Measurement } from '../harness/benchmark';
import { program, type Shape } from '../harness/program';

export interface Inboxes extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>>; readonly bots: number };
  readonly ready: { readonly keys: readonly string[] };
  /** Drains this many; or waits until all deliveries with this topic are messages, and counts them. */
  readonly order: { readonly drain: number } | { readonly settle: string; readonly count: number };
  readonly report: Measurement;
}

const LOOK_MS = 10;
const PATIENCE_MS = 300_000;

/** What a node stores of a payload. */
const delivered = (payload: unknown) => ({
  payload: JSON.stringify(payload),
  notices: JSON.stringify(noticesOf(helloworld.format({ payload, event: '' }))),
});

program<Inboxes>(async ({ environment, bots: count }) => {
  const config = loadConfig(environment);
  const kernel = await openKernel(config);
  const open = await openProducts(kernel, productsOf(config));
  const chat = open.find(({ product }) => product.name === 'chat')!.parts as Chat;
  const { id: realmId } = await getRealm(chat);
  const owner = (await kernel.mysql('chat_users').where({ email: 'member@example.com' }).first('id')) as { id: UserId };
  const bots: { id: UserId; key: string }[] = [];
  for (let index = 0; index < count; index++) {
    const email = `bench-${randomBytes(4).toString('hex')}@example.com`;
    const bot = { type: INCOMING_WEBHOOK, ownerId: owner.id };
    bots.push(await createUser(kernel, { realmId, email, fullName: `Bench ${index}`, role: 'member', bot }));
  }

  async function drain(deliveries: number): Promise<Measurement> {
    const queue = await kernel.jobs.registry.queue(botInboxes.job.name);
    await queue.pause();
    const run = randomBytes(6).toString('hex');
    const rows = Array.from({ length: deliveries }, (_, index) => ({
      realm_id: realmId,
      bot_id: bots[index % bots.length]!.id,
      integration: 'helloworld',
      dedupe_key: `${run}:${index}`,
      stream: 'test',
      topic: 'bench drain',
      ...delivered({
        featured_title: `Article ${index} of ${run}`,
        featured_url: 'https://example.com/article',
      }),
      state: 'pending',
      created_at: kernel.mysql.raw('NOW(3)'),
    }));
    await kernel.mysql.batchInsert('chat_deliveries', rows as never, 500);
    for (const { id } of bots) botInboxes.at(realmTenant(realmId), String(id)).send(kernel.jobs, WRITTEN);
    const began = performance.now();
    await queue.resume();
    await emptied(kernel);
    const milliseconds = performance.now() - began;
    return { units: deliveries, figures: { rate: (deliveries / milliseconds) * 1000 } };
  }

  /** Throws if one is lost or duplicated. */
  async function settle(topic: string, deliveries: number): Promise<Measurement> {
    const began = performance.now();
    await emptied(kernel);
    const contents = (await kernel.mysql('chat_messages').where({ topic }).pluck('content')) as string[];
    const distinct = new Set(contents).size;
    if (contents.length !== deliveries || distinct !== deliveries) {
      throw new Error(`${deliveries} deliveries became ${contents.length} messages, ${distinct} of them different`);
    }
    return { units: deliveries, figures: { drained: performance.now() - began } };
  }

  return {
    ready: { keys: bots.map(({ key }) => key) },
    run: (order) => ('drain' in order ? drain(order.drain) : settle(order.settle, order.count)),
  };
});

async function emptied(kernel: Kernel): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (await kernel.mysql('chat_deliveries').where({ state: 'pending' }).first('id')) {
    if (Date.now() > end) throw new Error('the inboxes were not emptied in time: is a worker running?');
    await wait(LOOK_MS);
  }
}
