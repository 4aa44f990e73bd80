/** Responses of GET /messages stay within their limit of bytes, and clients that page still reach every message. */
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let headers: Record<string, string>;
let ids: number[];

const LIMIT = 400_000;
const MESSAGES = 24;
/** Renders to about 80 KB of HTML; the limit of one render is 100,000 characters. */
const LARGE = '\u{1f4a9}'.repeat(1000);

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', MESSAGES_LIMIT_BYTES: String(LIMIT) });
  await cluster.seed();
  node = await cluster.node();
  await startWorkers(cluster, 'chat-search');
  headers = await node.basic('member@example.com');
  ids = [];
  for (let at = 0; at < MESSAGES; at += 1) {
    const form = { type: 'stream', to: 'test', topic: 'large', content: `heavy ${at} ${LARGE}` };
    const { body } = await node.call('/api/v1/messages', { form, headers });
    ids.push(body.id as number);
  }
});
afterAll(() => cluster.close());

interface Page {
  readonly messages: { readonly id: number; readonly content: string }[];
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly found_anchor: boolean;
}

async function read(query: Record<string, number | string>, at = node): Promise<{ page: Page; bytes: number }> {
  const narrow = JSON.stringify([{ operator: 'topic', operand: 'large' }]);
  const given = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await at.call('/api/v1/messages', { query: { narrow, ...given }, headers });
  expect(answer.status).toBe(200);
  return { page: answer.body as Page, bytes: Buffer.byteLength(answer.text) };
}

const idsOf = ({ messages }: Page) => messages.map(({ id }) => id);

test('A read of more HTML than the budget is cut to the messages next to the anchor', async () => {
  const { page, bytes } = await read({ anchor: 10_000_000_000_000_000, num_before: 1000, num_after: 0 });
  expect(bytes).toBeLessThan(LIMIT + 1000);
  expect(idsOf(page).length).toBeGreaterThan(1);
  expect(idsOf(page)).toEqual(ids.slice(-idsOf(page).length));
  expect([page.found_oldest, page.found_newest]).toEqual([false, true]);
});

test('A read that is cut on both sides is contiguous around its anchor, and both found flags are false', async () => {
  const anchor = ids[12]!;
  const { page, bytes } = await read({ anchor, num_before: 500, num_after: 500 });
  const found = idsOf(page);
  const first = ids.indexOf(found[0]!);
  expect(bytes).toBeLessThan(LIMIT + 1000);
  expect(found).toEqual(ids.slice(first, first + found.length));
  expect([found[0]! < anchor, found.includes(anchor), found.at(-1)! > anchor]).toEqual([true, true, true]);
  expect([page.found_oldest, page.found_newest, page.found_anchor]).toEqual([false, false, true]);
});

test('A read without HTML that fits into the budget is returned in full', async () => {
  const { page } = await read({ anchor: ids[12]!, num_before: 500, num_after: 500, apply_markdown: 'false' });
  expect(idsOf(page)).toEqual(ids);
  expect([page.found_oldest, page.found_newest]).toEqual([true, true]);
});

/** Pages as Zulip's clients do: from the last message they have, until the server says that there are no more. */
async function readAll(at: TestNode, way: 'num_before' | 'num_after', anchor: number): Promise<number[]> {
  const found = new Set<number>();
  const other = way === 'num_before' ? 'num_after' : 'num_before';
  let from = anchor;
  for (let pages = 0; pages <= MESSAGES + 1; pages += 1) {
    const { page } = await read({ anchor: from, [way]: 1000, [other]: 0 }, at);
    for (const id of idsOf(page)) found.add(id);
    if (way === 'num_before' ? page.found_oldest : page.found_newest) return [...found].sort((a, b) => a - b);
    from = way === 'num_before' ? Math.min(...found) : Math.max(...found);
  }
  throw new Error(`paging does not end; it found ${found.size} messages`);
}

describe.each([
  ['some messages', LIMIT],
  ['less than one message', 1],
])('Byte limit of GET /messages for %s', (_, limit) => {
  let small: TestNode;
  beforeAll(async () => {
    small = await cluster.node({ MESSAGES_LIMIT_BYTES: String(limit) });
  });

  test('A client that pages towards the oldest message reaches every message within the budget', async () => {
    expect(await readAll(small, 'num_before', 10_000_000_000_000_000)).toEqual(ids);
  });

  test('A client that pages towards the newest message reaches every message within the budget', async () => {
    expect(await readAll(small, 'num_after', 0)).toEqual(ids);
  });

  test('A client that begins in the middle gets at least one message on either side', async () => {
    const { page } = await read({ anchor: ids[5]!, num_before: 10, num_after: 10 }, small);
    expect(idsOf(page)).toEqual(expect.arrayContaining(ids.slice(4, 7)));
  });
});

test('A highlighted search stays within the budget too', async () => {
  const narrow = JSON.stringify([{ operator: 'search', operand: 'heavy' }]);
  const newest = { narrow, anchor: 10_000_000_000_000_000, num_before: 1000, num_after: 0 };
  const { page, bytes } = await until(
    () => read(newest),
    (found) => found.page.messages.at(-1)?.id === ids.at(-1),
  );
  expect(page.found_oldest).toBe(false);
  expect(bytes).toBeLessThan(LIMIT + 1000);
});

test('Matching a narrow against more HTML than the budget is refused in the envelope', async () => {
  const narrow = JSON.stringify([{ operator: 'topic', operand: 'large' }]);
  const query = { narrow, msg_ids: JSON.stringify(ids) };
  const refused = await node.call('/api/v1/messages/matches_narrow', { query, headers });
  expect([refused.status, refused.body.result]).toEqual([400, 'error']);
  expect(refused.body.msg).toMatch(/larger than 400000 bytes: name fewer/);
  const few = await node.call('/api/v1/messages/matches_narrow', {
    query: { narrow, msg_ids: JSON.stringify(ids.slice(0, 2)) },
    headers,
  });
  expect(Object.keys(few.body.messages as object)).toHaveLength(2);
});

test('A message that would render to more than 100,000 characters is refused', async () => {
  const form = { type: 'stream', to: 'test', topic: 'large', content: '\u{1f4a9}'.repeat(2000) };
  const { status, body } = await node.call('/api/v1/messages', { form, headers });
  expect([status, body.msg]).toEqual([400, 'Unable to render message']);
});
