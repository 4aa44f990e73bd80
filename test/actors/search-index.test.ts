// Several workers fill the search index at once; each may be late or die, while messages come, change and go.
import { fillSearchIndex } from '../../src/chat/commands/reading/fill-search-index';
import type { Kernel } from '../../src/kernel/kernel';
import { chanceOf } from '../support/chance';
import { frailKernel } from '../support/frail-kernel';
import { openOrganisations, type Organisation, type Organisations } from '../support/organisations';
import { tries } from '../support/search';

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

/** Sends messages, and changes or deletes some of those that were sent a moment ago. */
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

/** A worker that is late by chance, and dies by chance, until it is told that nothing comes any more. */
async function work(kernel: Kernel, hasMore: () => boolean, died: () => void): Promise<void> {
  const gate = async () => {
    if (chance() < 0.3) await pause(20);
    if (chance() < 0.1) throw new Died();
  };
  while (hasMore()) {
    await fillSearchIndex(frailKernel(kernel, gate, {}), kernel.lifecycle.draining).catch((error: unknown) => {
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

test(`Whatever becomes of the workers, each message is found by its present words and no others (seed ${SEED})`, async () => {
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

  // As one worker makes it, from nothing.
  for (const table of ['chat_search', 'chat_search_cursors']) await kernel.mysql(table).delete();
  await fillSearchIndex(kernel, kernel.lifecycle.draining);
  expect(found).toEqual(await indexed(kernel));
});
