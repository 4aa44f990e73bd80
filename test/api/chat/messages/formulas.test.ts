import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  headers = await node.basic('member@example.com');
});
afterAll(() => cluster.close());

const rendered = async (content: string) =>
  (await node.call('/api/v1/messages/render', { form: { content }, headers })).body.rendered as string;

test('Formulas are rendered inline and as blocks', async () => {
  expect(await rendered('$$a^2$$')).toMatch(/^<p><span class="katex"><span class="katex-mathml"><math /);
  expect(await rendered('```math\na^2\n```')).toMatch(/^<p><span class="katex-display"><span class="katex">/);
});

test('A formula with a syntax error is shown as it was written', async () => {
  expect(await rendered('$$\\nothing$$')).toBe('<p><span class="tex-error">$$\\nothing$$</span></p>');
});

test('A sent formula is stored as rendered HTML', async () => {
  const form = { type: 'stream', to: 'test', topic: 'sums', content: 'see $$\\sum gamma$$' };
  const { id } = (await node.call('/api/v1/messages', { form, headers })).body;
  const query = { anchor: String(id), num_before: '0', num_after: '0', apply_markdown: 'true' };
  const { messages } = (await node.call('/api/v1/messages', { query, headers })).body;
  expect(messages).toMatchObject([{ content: await rendered(form.content) }]);
  expect(messages[0].content).toContain('<annotation encoding="application/x-tex">\\sum gamma</annotation>');
});

test('A formula that expands without end becomes an error, and the node keeps serving', async () => {
  expect(await rendered('$$\\def\\a{\\a\\a}\\a$$')).toContain('tex-error');
  expect(await rendered('plain')).toBe('<p>plain</p>');
});

test('The !avatar syntax shows a picture for known and unknown addresses', async () => {
  const { user_id: id } = (await node.call('/api/v1/users/me', { headers })).body;
  const picture = (who: string, address: string) =>
    `<p><img alt="${address}" class="message_body_gravatar" src="/avatar/${who}?s=30" title="${address}"></p>`;
  expect(await rendered('!avatar(Member@example.com)')).toBe(picture(String(id), 'member@example.com'));
  expect(await rendered('!gravatar(nobody@example.org)')).toBe(picture('nobody@example.org', 'nobody@example.org'));
});
