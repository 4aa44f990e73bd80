import { seedDemo } from '../../../src/telephony/commands/seed-demo';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import type { Answer } from '../../support/http/client';
import { openPeople, problem, type People, type Person } from './people';

let cluster: Cluster;
let node: TestNode;
let people: People;
const LIMIT = 3_000_000;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', FILE_LIMIT_BYTES: String(LIMIT), FILE_URL_MS: '60000' });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  node = await cluster.node();
  people = await openPeople(node);
});
afterAll(() => cluster.close());

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const named = async (by: Person, name = 'photo.png') => (await by('POST', '/files', { name })).body as { id: string };
function upload(by: Person, id: string, content: Buffer, more: { name?: string; type?: string; field?: string } = {}) {
  const { name = 'photo.png', type = 'image/png', field = 'upfile' } = more;
  const raw = new FormData();
  raw.append(field, new Blob([new Uint8Array(content)], { type }), name);
  return by('POST', `/files/${id}/upload`, undefined, { raw });
}
async function made(by: Person, content = PNG, more: { name?: string; type?: string } = {}): Promise<Answer> {
  return upload(by, (await named(by, more.name)).id, content, more);
}
const fetchRaw = (path: string, headers: Record<string, string> = {}) => fetch(`${node.url}${path}`, { headers });
const KEY = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary' };

describe('POST /files, then POST /files/{id}/upload', () => {
  test('A file object has exactly the fields of the specification', async () => {
    const { status, body } = await people.member('POST', '/files', { name: 'photo.png', description: 'a dot' });
    expect(status).toBe(201);
    const company = (await people.owner('GET', '/system/company')).body.id;
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      company_id: company,
      description: 'a dot',
      mimetype: 'application/octet-stream',
      name: 'photo.png',
      preview: { base64: expect.any(String), filename: 'photo.png.svg', mimetype: 'image/svg+xml' },
      size: 0,
      uploaded_at: null,
      uploaded_name: '',
      user_id: people.ids.member,
    });
    const filled = await upload(people.member, body.id, PNG, { name: '../../etc/my dot.png' });
    expect(filled).toMatchObject({ status: 200 });
    expect(filled.body).toEqual({
      ...body,
      mimetype: 'image/png',
      size: PNG.length,
      uploaded_at: expect.stringMatching(/Z$/),
      uploaded_name: 'my-dot.png',
      preview: {
        base64: `data:image/png;base64,${PNG.toString('base64')}`,
        filename: 'photo.png',
        mimetype: 'image/png',
      },
    });
    expect((await people.owner('GET', `/files/${body.id}`)).body).toEqual(filled.body);
  });

  test('POST /files requires a name, and refuses another company', async () => {
    expect(await people.owner('POST', '/files', {})).toMatchObject(problem(400));
    expect(await people.owner('POST', '/files', { name: ' ' })).toMatchObject(problem(400));
    expect(await people.owner('POST', '/files', { name: 'x', company_id: 'other' })).toMatchObject(problem(400));
  });

  test('An upload takes one file in the field upfile, within the limit', async () => {
    const { id } = await named(people.owner);
    expect(await upload(people.owner, id, PNG, { field: 'file' })).toMatchObject(problem(400));
    expect(await people.owner('POST', `/files/${id}/upload`, {})).toMatchObject(problem(400));
    expect(await upload(people.owner, id, Buffer.alloc(LIMIT + 1))).toMatchObject(problem(413));
    expect((await people.owner('GET', `/files/${id}`)).body).toMatchObject({ size: 0, uploaded_at: null });
    expect(await people.owner('GET', `/files/${id}/content`)).toMatchObject(problem(404));
    expect(await people.owner('POST', `/files/${id}/generate_url`)).toMatchObject(problem(404));
  });

  test('A file of several pieces is returned byte by byte, and can be replaced', async () => {
    const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => (index * 7) % 251));
    const { body } = await made(people.owner, content, { name: 'big.bin', type: 'application/pdf' });
    expect(body).toMatchObject({ size: content.length, mimetype: 'application/pdf' });
    const fetched = await fetchRaw(`/files/${body.id}/content`, KEY);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(content)).toBe(true);
    await upload(people.owner, body.id, PNG);
    const again = await fetchRaw(`/files/${body.id}/content`, KEY);
    expect(Buffer.from(await again.arrayBuffer()).equals(PNG)).toBe(true);
  });
});

describe('GET /files/{id}/content', () => {
  test('A PDF is shown by the viewer of the browser, and never treated as a page', async () => {
    const { body } = await made(people.owner, Buffer.from('<html>'), { name: 'fax.pdf', type: 'application/pdf' });
    const { headers } = await fetchRaw(`/files/${body.id}/content`, KEY);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toMatch(/^inline; filename/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*script)/);
  });

  test('An image is shown inline, any other file is downloaded, and no script in it runs', async () => {
    const shown = await fetchRaw(`/files/${(await made(people.owner)).body.id}/content`, KEY);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('content-disposition')).toMatch(/^inline; filename/);
    for (const type of ['text/html', 'image/svg+xml', 'image/png', 'nonsense']) {
      const page = Buffer.from('<html><script>alert(1)</script>');
      const { body } = await made(people.owner, page, { name: 'page.html', type });
      const saved = await fetchRaw(`/files/${body.id}/content`, KEY);
      expect(saved.headers.get('content-type')).toBe('application/octet-stream');
      expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename/);
      expect(saved.headers.get('content-security-policy')).toContain('sandbox');
      expect(saved.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('POST /files/{id}/generate_url', () => {
  test('A generated address needs no key until it expires', async () => {
    const { body: file } = await made(people.owner);
    const { status, body } = await people.owner('POST', `/files/${file.id}/generate_url`);
    expect(status).toBe(200);
    const leftMs = Date.parse(body.expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    const { pathname, search } = new URL(body.url as string);
    const fetched = await fetchRaw(`${pathname}${search}`);
    expect(fetched.status).toBe(200);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(PNG)).toBe(true);

    const other = (await made(people.owner)).body.id as string;
    const expires = Number(new URLSearchParams(search).get('expires'));
    for (const forged of [
      `${pathname}${search.replace(/expires=\d+/, `expires=${expires + 1}`)}`,
      `${pathname.replace(file.id, other)}${search}`,
      `${pathname}?expires=${expires}&signature=`,
      `${pathname}?expires=${expires}&signature=${'0'.repeat(64)}`,
    ]) {
      expect((await fetchRaw(forged)).status).toBe(403);
    }
  });

  test('A generated address is refused once it has expired or the file is deleted', async () => {
    const quick = await cluster.node({ FILE_URL_MS: '0' });
    const { body: file } = await made(people.owner);
    const headers = { ...KEY, 'Content-Type': 'application/json' };
    const path = `/files/${file.id}/generate_url`;
    const expired = (await (await fetch(`${quick.url}${path}`, { method: 'POST', headers })).json()) as { url: string };
    const { pathname, search } = new URL(expired.url);
    expect((await fetchRaw(`${pathname}${search}`)).status).toBe(403);
    const { body } = await people.owner('POST', path);
    await people.owner('DELETE', `/files/${file.id}`);
    const gone = new URL(body.url as string);
    expect((await fetchRaw(`${gone.pathname}${gone.search}`)).status).toBe(403);
  });
});

describe('POST /conversion/files/{id}/representation', () => {
  test('The preview of a small image is the image itself, and that of any other file is a drawn sheet', async () => {
    const { body: small } = await made(people.owner);
    expect((await people.owner('POST', `/conversion/files/${small.id}/representation`)).body).toEqual(small.preview);
    const large = Buffer.concat([PNG, Buffer.alloc(20_000)]);
    const { body } = await made(people.owner, large, { name: 'large.png' });
    const preview = (await people.owner('POST', `/conversion/files/${body.id}/representation`)).body;
    expect(preview).toMatchObject({ mimetype: 'image/svg+xml', filename: 'large.png.svg' });
    const drawn = Buffer.from(preview.base64.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    expect(drawn).toMatch(/^<svg.*>PNG<\/text><\/svg>$/);
    const odd = await made(people.owner, Buffer.from('x'), { name: 'a<script>', type: 'text/plain' });
    expect(Buffer.from(odd.body.preview.base64.split(',')[1], 'base64').toString()).not.toContain('<script');
  });
});

describe('GET /files and DELETE /files/{id}', () => {
  test('GET /files lists the newest first, in pages', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await named(people.stranger, name)).id);
    const { body, headers } = await people.stranger('GET', '/files?page=1&per_page=2');
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(headers.get('x-pagination-total-count')).toBe('3');
  });

  test('A file can be deleted by its uploader or the owner, unless a message shows it', async () => {
    const { body: file } = await made(people.owner);
    expect(await people.member('DELETE', `/files/${file.id}`)).toMatchObject(problem(403));
    const own = (await made(people.member)).body.id;
    expect(await people.owner('DELETE', `/files/${own}`)).toMatchObject({ status: 200, body: { id: own } });
    expect(await people.owner('GET', `/files/${own}`)).toMatchObject(problem(404));

    const draft = { recipients: [{ number: '+15550105555' }], from_number: '+15550100001' };
    const { body: conversation } = await people.owner('POST', '/texting/conversations', draft);
    const path = `/texting/conversations/${conversation.id}/messages`;
    const sent = await people.owner('POST', path, { text: 'look', files: [file.id] });
    expect(sent).toMatchObject({ status: 201, body: { files: [file] } });
    expect((await people.owner('GET', path)).body).toMatchObject([{ files: [file] }]);
    expect(await people.owner('DELETE', `/files/${file.id}`)).toMatchObject(problem(403));
    expect(await upload(people.owner, file.id, PNG)).toMatchObject(problem(403));
    const empty = await named(people.owner);
    expect(await people.owner('POST', path, { text: 'x', files: [empty.id] })).toMatchObject(problem(400));
  });
});

describe('Files of two companies', () => {
  test('A company can neither see, change nor send a file of another company', async () => {
    const { body: file } = await made(people.owner);
    const { id } = file as { id: string };
    for (const [method, path] of [
      ['GET', `/files/${id}`],
      ['DELETE', `/files/${id}`],
      ['GET', `/files/${id}/content`],
      ['POST', `/files/${id}/generate_url`],
      ['POST', `/conversion/files/${id}/representation`],
    ] as const) {
      const foreign = await people.stranger(method, path);
      expect(foreign).toMatchObject(problem(404));
      const nobodys = await people.stranger(method, path.replace(id, 'f'.repeat(24)));
      expect(foreign.body).toEqual(nobodys.body);
    }
    expect(await upload(people.stranger, id, PNG)).toMatchObject(problem(404));
    expect(JSON.stringify((await people.stranger('GET', '/files')).body)).not.toContain(id);
    const draft = { recipients: [{ number: '+15550105555' }], from_number: '+15550100002' };
    const { body: conversation } = await people.stranger('POST', '/texting/conversations', draft);
    const stolen = { text: 'mine now', files: [id] };
    const path = `/texting/conversations/${conversation.id}/messages`;
    expect(await people.stranger('POST', path, stolen)).toMatchObject(problem(400));
    for (const path of ['/files', `/files/${id}`, `/files/${id}/content`]) {
      expect(await node.call(path)).toMatchObject(problem(401));
    }
  });
});
