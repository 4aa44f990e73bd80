import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';

let cluster: Cluster;
let node: TestNode;
beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
});
afterAll(() => cluster.close());

const image = (path: string) => fetch(new URL(`/static/generated/emoji/${path}`, node.url));
const bytesOf = async (path: string) => Buffer.from(await (await image(path)).arrayBuffer());
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test.each(['1f44d', '263a', '0023-20e3', '1f6e0'])('The server has an image for the emoji %s', async (code) => {
  expect((await bytesOf(`images-google-64/${code}.png`)).subarray(0, 8)).toEqual(PNG);
});

test('An emoji image is also served at its older URLs, by code and by each name', async () => {
  const thumb = await bytesOf('images-google-64/1f44d.png');
  for (const path of ['unicode/1f44d', '+1', 'thumbs_up']) {
    expect((await bytesOf(`images/emoji/${path}.png`)).equals(thumb)).toBe(true);
  }
});

test('The picture that :zulip: refers to is served', async () => {
  const headers = await node.basic('member@example.com');
  const { body } = await node.call('/api/v1/messages/render', { form: { content: ':zulip:' }, headers });
  const [, source] = /src="\/static\/generated\/emoji\/([^"]+)"/.exec(body.rendered as string)!;
  expect((await bytesOf(source!)).subarray(0, 8)).toEqual(PNG);
});

test('An emoji image is cacheable for ever and served in a sandbox', async () => {
  const { headers } = await image('images/emoji/unicode/zulip.png');
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-security-policy')).toMatch('sandbox');
});

test.each(['nothing.png', '1f44d', '1f44d.svg', '..%2f..%2fpackage.png', 'constructor.png', '.png'])(
  'The emoji image path %s gives 404',
  async (file) => {
    const { status } = await node.call(`/static/generated/emoji/images-google-64/${file}`);
    expect(status).toBe(404);
  },
);
