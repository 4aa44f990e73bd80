import sharp from 'sharp';
import { todayHtml } from '../../../../src/chat/model/profiles/today-html';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { animation, bomb, rectangle } from '../../../support/pictures';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  await startWorkers(cluster, 'chat-thumbnails');
});
afterAll(() => cluster.close());

const TODAY = { client_capabilities: JSON.stringify({ user_settings_object: true }) };

async function upload(by: Caller, bytes: Uint8Array, name: string, type = 'image/png'): Promise<string> {
  const raw = new FormData();
  raw.append('file', new Blob([bytes as BlobPart], { type }), name);
  return (await by.ask('/user_uploads', { method: 'POST', raw })).body.uri;
}

async function fetched(path: string, headers: Record<string, string>) {
  const response = await fetch(new URL(path, node.url), { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const addressOf = (uri: string, size: string) => `/thumbnail?url=${encodeURIComponent(uri.slice(1))}&size=${size}`;
const thumbnailOf = (uri: string, by = people.member) => fetched(addressOf(uri, 'thumbnail'), by.headers);
const count = async () => {
  const [row] = (await node.kernel.mysql('chat_upload_thumbnails').count({ count: '*' })) as [{ count: number }];
  return row.count;
};
/** Ordered thumbnails, waiting or finished. */
const orders = async (which: Record<string, string> = {}) => {
  const rows = node.kernel.mysql('kernel_mail').where({ mailbox: 'chat-thumbnails', ...which });
  const [row] = (await rows.count({ count: '*' })) as [{ count: number }];
  return row.count;
};

describe('Thumbnails of uploaded pictures', () => {
  let uri: string;
  let photograph: Buffer;

  test('A job creates the thumbnail of an uploaded picture, smaller and without EXIF data', async () => {
    const camera = rectangle(1600, 1200).withExif({ IFD0: { Copyright: 'Somebody at home' } });
    photograph = await camera.jpeg({ quality: 100 }).toBuffer();
    uri = await upload(people.member, photograph, 'holiday.jpg', 'image/jpeg');
    const { status, type, headers, bytes } = await until(
      () => thumbnailOf(uri),
      (answer) => !answer.bytes.equals(photograph),
    );
    expect([status, type]).toEqual([200, 'image/jpeg']);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('content-length')).toBe(String(bytes.length));
    const facts = await sharp(bytes).metadata();
    expect(facts).toMatchObject({ width: 400, height: 300 });
    expect(facts.exif).toBeUndefined();
    expect(await count()).toBe(1);
  });

  test('A message shows the thumbnail of a picture and links the original', async () => {
    const content = `[holiday](${uri})`;
    const { id } = (await people.member.post('/messages', { type: 'stream', to: 'test', topic: 'a', content })).body;
    const { messages } = (
      await people.other.get('/messages', {
        anchor: String(id),
        num_before: '0',
        num_after: '0',
        apply_markdown: 'true',
      })
    ).body;
    const escaped = (size: string) => addressOf(uri, size).replace('&', '&amp;');
    expect(messages[0].content).toContain(
      `<img data-src-fullsize="${escaped('full')}" src="${escaped('thumbnail')}" data-original-dimensions="1600x1200">`,
    );
    expect((await fetched(addressOf(uri, 'full'), people.other.headers)).bytes.equals(photograph)).toBe(true);
    expect(await sharp((await thumbnailOf(uri, people.other)).bytes).metadata()).toMatchObject({ height: 300 });
  });

  test('The page gets copies in four sizes, which a browser may keep', async () => {
    for (const [size, width, height] of [
      ['tiny', 24, 18],
      ['small', 267, 200],
      ['medium', 800, 600],
      ['large', 1600, 1200],
    ] as const) {
      const { type, headers, bytes } = await fetched(addressOf(uri, size), people.member.headers);
      expect([type, headers.get('cache-control')]).toEqual(['image/webp', 'private, max-age=3600']);
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
      expect(bytes.length).toBeLessThan(photograph.length);
    }
  });

  test("Today's clients are shown a copy, and get the others by their names", async () => {
    const at = async (more: Record<string, string>) => {
      const asked = { anchor: 'newest', num_before: '1', num_after: '0', ...more };
      return (await people.other.get('/messages', asked)).body.messages[0].content as string;
    };
    const [, shown] = /<img [^>]*src="([^"]+)"/.exec(await at({ allow_empty_topic_name: 'true' }))!;
    const folder = uri.replace('/user_uploads/', '/user_uploads/thumbnail/');
    expect(shown).toBe(`${folder}/960x600.webp`);
    expect(await at({})).toContain('/thumbnail?url=');
    const { body } = await people.other.post('/register', { slim_presence: 'true', ...TODAY });
    const formats = body.server_thumbnail_formats as { name: string; max_width: number; max_height: number }[];
    expect(formats.map(({ name }) => name)).toEqual(['320x200.webp', '960x600.webp', '1920x1440.webp']);
    for (const { name, max_width: width, max_height: height } of formats) {
      const { status, type, bytes } = await fetched(`${folder}/${name}`, people.other.headers);
      expect([status, type]).toEqual([200, 'image/webp']);
      const found = await sharp(bytes).metadata();
      expect([found.width <= width, found.height <= height]).toEqual([true, true]);
    }
    expect((await fetched(`${folder}/24x24.webp`, people.other.headers)).status).toBe(404);
    const own = (await upload(people.owner, Buffer.from('words'), 'hidden.txt')).replace(
      'uploads/',
      'uploads/thumbnail/',
    );
    expect((await fetched(`${own}/320x200.webp`, people.other.headers)).status).toBe(404);
    expect((await fetched(`${folder}/320x200.webp`, {})).status).toBe(401);
  });

  test('A thumbnail is served to users who may see the file, by header or by key in the URL', async () => {
    const own = await upload(people.owner, photograph, 'own.jpg');
    const hidden = await fetched(addressOf(own, 'thumbnail'), people.member.headers);
    expect(hidden.status).toBe(404);
    expect((await fetched(addressOf(uri, 'thumbnail'), {})).status).toBe(401);
    const key = Buffer.from(people.other.headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
    expect((await fetched(`${addressOf(uri, 'thumbnail')}&api_key=${key}`, {})).status).toBe(200);
  });

  test('The thumbnail route serves no other files of this server', async () => {
    const missing = refusal('File not found.', {}, 404);
    const ask = (url: string, size = 'thumbnail') => people.member.ask('/thumbnail/', { query: { url, size } });
    for (const url of ['user_avatars/1/x.png', 'ftp://example.com/a.png', '/api/v1/users', '', '//x.png']) {
      expect(await ask(url)).toMatchObject(missing);
    }
    expect(await ask(`user_uploads/1/ab/${'x'.repeat(32)}/a.png`)).toMatchObject(missing);
    expect(await ask(uri, 'huge')).toMatchObject(refusal('Invalid size.', {}, 403));
    expect((await ask(uri)).status).toBe(200);
  });

  test('Deleting a file deletes its thumbnail', async () => {
    const { attachments } = (await people.member.get('/attachments')).body;
    const { id } = attachments.find(({ name }: { name: string }) => name === 'holiday.jpg');
    const before = await until(count, (found) => found >= 2);
    expect((await people.member.del(`/attachments/${id}`)).status).toBe(200);
    expect(await count()).toBe(before - 1);
    expect((await thumbnailOf(uri)).status).toBe(404);
  });
});

describe('Files without a thumbnail', () => {
  test.each([
    ['a picture of too many pixels', () => Promise.resolve(bomb(20_000, 20_000)), 'image/png'],
    [
      'a file that only begins like a picture',
      () => Promise.resolve(Buffer.from('89504e470d0a1a0a00', 'hex')),
      'image/png',
    ],
  ])('The thumbnail route serves the original file for %s', async (_, make, type) => {
    const [before, ordered] = [await count(), await orders()];
    const bytes = await make();
    const uri = await upload(people.member, bytes, 'picture.png', type);
    expect(await orders()).toBe(ordered + 1);
    await until(
      () => orders({ state: 'pending' }),
      (waiting) => waiting === 0,
    );
    expect((await fetched(addressOf(uri, 'tiny'), people.member.headers)).status).toBe(404);
    const shown = await thumbnailOf(uri);
    expect([shown.status, shown.type]).toEqual([200, type]);
    expect(shown.bytes.equals(bytes)).toBe(true);
    expect(await count()).toBe(before);
  });

  test('An animation moves in the thumbnail, and its copies show how it begins', async () => {
    const bytes = await (await animation(400, 400, 3)).gif().toBuffer();
    const before = await count();
    const uri = await upload(people.member, bytes, 'dance.gif', 'image/gif');
    const copy = await until(
      () => fetched(addressOf(uri, 'small'), people.member.headers),
      ({ type }) => type === 'image/webp',
    );
    expect((await sharp(copy.bytes).metadata()).pages ?? 1).toBe(1);
    expect((await thumbnailOf(uri)).bytes.equals(bytes)).toBe(true);
    expect(await count()).toBe(before);
    const { body } = await people.member.post('/messages/render', { content: `[dance](${uri})` });
    expect(body.rendered).toContain('data-original-dimensions="400x400" data-animated="true"');
    // Today's clients, too, get what moves.
    expect(todayHtml(body.rendered, () => '')).toContain('src="/thumbnail?url=');
  });

  test('A file that is no picture creates no thumbnail job', async () => {
    const before = await orders();
    await upload(people.member, Buffer.from('words'), 'words.png');
    expect(await orders()).toBe(before);
  });
});
