// Several workers fill the search index at once; each may be late or die, while messages are sent, changed and deleted.
import { fillSearchIndex } from '../../../src/chat/commands/reading/fill-search-index';
import type { Kernel } from '../../../src/kernel/kernel';
import { chanceOf } from '../../support/chance';
import { frailKernel, gatedDatabase, type Gate } from '../../support/kernel/frail-kernel';
import { openOrganisations, type Organisation, type Organisations } from '../../support/chat/organisations';
import { tries } from '../../support/search';
import { until } from '../../support/until';

const SEED = Number(process.env['SEARCH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const MESSAGES = tries(120);
const WORKERS = 3;

let opened: Organisations;
let kernels: Kernel[];

beforeAll(async () => {
  opened = await openOrganisations();
  const { cluster, node } = opened;
  kernels = [node.kernel, await cluster.kernel(), await cluster.kernel()];
});
afterAll(() => opened.cluster.close());

const chance = chanceOf(SEED);
const wordByChance = () => `word${Math.floor(chance() * 20)}`;
const pause = (most: number) => new Promise((resolve) => setTimeout(resolve, chance() * most));

/** Sends messages, and changes or deletes some of the recent ones. */
async function talk({ owner }: Organisation): Promise<void> {
  const ids: number[] = [];
  const text = () => `${wordByChance()} ${wordByChance()} ${wordByChance()}`;
  const ensureDone = ({ status, text: said }: { status: number; text: string }) => {
    if (status !== 200) throw new Error(said);
  };
  for (let count = 0; count < MESSAGES; count += 1) {
    const to = JSON.stringify(['owner@example.com']);
    const sent = await owner.post('/messages', { type: 'private', to, content: text() });
    ensureDone(sent);
    ids.push((sent.body as { id: number }).id);
    const [last] = ids.slice(-1 - Math.floor(chance() * 3));
    if (chance() < 0.5) ensureDone(await owner.patch(`/messages/${last}`, { content: text() }));
    else if (chance() < 0.1) ensureDone(await owner.del(`/messages/${ids.pop()}`));
  }
}

class Died extends Error {}

/** Also between its statements: what it has read may be outdated when it writes. */
const frailWithin = (kernel: Kernel, gate: Gate): Kernel => ({
  ...frailKernel(kernel, gate, {}),
  transaction: (work) =>
    kernel.transaction(async (tx) => {
      const value = await work({ ...tx, db: gatedDatabase(tx.db, gate) });
      await gate();
      return value;
    }),
});

/** A worker that is late or dies at random, until no more messages come. */
async function work(kernel: Kernel, hasMore: () => boolean, died: () => void): Promise<void> {
  const gate = async () => {
    if (chance() < 0.3) await pause(20);
    if (chance() < 0.02) throw new Died();
  };
  while (hasMore()) {
    await fillSearchIndex(frailWithin(kernel, gate), kernel.lifecycle.draining).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
      died();
    });
    await pause(5);
  }
}

async function indexed({ mysql }: Kernel): Promise<string[]> {
  const entry = mysql.raw("CONCAT_WS(' ', realm_id, message_id, word)");
  const entries = (await mysql('chat_search').select({ entry })) as { entry: string }[];
  return entries.map((row) => row.entry).toSorted();
}

test(`However search workers fail, each message is found by its current words and no others (seed ${SEED})`, async () => {
  const [kernel] = kernels as [Kernel, ...Kernel[]];
  let [isTalking, deaths] = [true, 0];
  const talking = Promise.all([talk(opened.acme), talk(opened.beta)]).finally(() => (isTalking = false));
  const working = Array.from({ length: WORKERS }, (_, at) =>
    work(
      kernels[at]!,
      () => isTalking,
      () => (deaths += 1),
    ),
  );
  await Promise.all([talking, ...working]);
  expect(deaths).toBeGreaterThan(0);

  await fillSearchIndex(kernel, kernel.lifecycle.draining);
  const found = await indexed(kernel);
  expect(await kernel.mysql('chat_search_changes')).toEqual([]);

  // As one worker builds it from scratch.
  for (const table of ['chat_search', 'chat_search_cursors']) await kernel.mysql(table).delete();
  await fillSearchIndex(kernel, kernel.lifecycle.draining);
  expect(found).toEqual(await indexed(kernel));
});

/** Stops at its n-th call until the test lets it go on. */
function stopAt(call: number): { readonly gate: Gate; isThere(): boolean; goOn(): void } {
  let calls = 0;
  let resume: (() => void) | undefined;
  return {
    gate: () => ((calls += 1) === call ? new Promise((resolve) => (resume = resolve)) : Promise.resolve()),
    isThere: () => resume !== undefined,
    goOn: () => resume!(),
  };
}

test("A message edited between a search worker's read and its write is found by its new words only", async () => {
  const [kernel, other] = kernels as [Kernel, Kernel];
  const { owner, id: realmId } = opened.acme;
  const fill = (by: Kernel) => fillSearchIndex(by, kernel.lifecycle.draining);
  await fill(kernel);
  // It has found no new messages, and is about to read the changed ones.
  const changes = stopAt(2);
  let hasEnded = false;
  const second = fill({ ...other, mysql: gatedDatabase(other.mysql, changes.gate) }).finally(() => (hasEnded = true));
  await until(() => changes.isThere());

  const to = JSON.stringify(['owner@example.com']);
  const sent = await owner.post('/messages', { type: 'private', to, content: 'beforehand' });
  const { id } = sent.body as { id: number };
  // It locks the cursor, reads it and the messages; the fourth statement writes.
  const writing = stopAt(4);
  const first = fill({
    ...kernel,
    transaction: (work) => kernel.transaction((tx) => work({ ...tx, db: gatedDatabase(tx.db, writing.gate) })),
  });
  await until(() => writing.isThere());
  expect((await owner.patch(`/messages/${id}`, { content: 'afterwards' })).status).toBe(200);
  changes.goOn();
  const waiting =
    "FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE '%search_cursors%'";
  await until(async () => {
    const [rows] = (await kernel.mysql.raw(`SELECT 1 ${waiting}`)) as [unknown[]];
    return hasEnded || rows.length > 0;
  });
  writing.goOn();
  await Promise.all([first, second]);
  const words = kernel.mysql('chat_search').where({ realm_id: realmId, message_id: id });
  expect(((await words.pluck('word')) as string[]).filter((word) => /before|after/.test(word))).toEqual([
    expect.stringContaining('after'),
  ]);
});
