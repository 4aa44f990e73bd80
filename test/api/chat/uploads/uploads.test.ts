import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { addressBehind } from '../../../support/pictures';
import { publishedBy } from '../../../support/chat/published';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let people: DemoPeople;
/** Other tests upload on the same machine. */
const folder = mkdtempSync(join(tmpdir(), 'uploads-test-'));

beforeAll(async () => {
  cluster = await openCluster({ CHAT_FEATURE_LEVEL: 'off', RATE_LIMIT: 'off', SPOOL_DIR: folder });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
  people = await demoPeople(node);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const MEGABYTE = 1024 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function formOf(...files: [name: string, bytes: string | Uint8Array, type?: string][]): FormData {
  const form = new FormData();
  for (const [name, bytes, type = 'text/plain'] of files) {
    form.append(`any-${name}`, new Blob([bytes as BlobPart], { type }), name);
  }
  return form;
}
const upload = (by: Caller, form: FormData) => by.ask('/user_uploads', { method: 'POST', raw: form });
const fetchFile = async (uri: string, headers: Record<string, string>, at = second) => {
  const response = await fetch(new URL(uri, at.url), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const spooled = () => readdirSync(folder);

describe('POST /user_uploads', () => {
  test("An upload returns the file's URL, from which every node serves the same bytes", async () => {
    const bytes = Buffer.alloc(2.5 * MEGABYTE, 'Partyline ');
    const { body } = await upload(people.member, formOf(['my <report>.txt', bytes]));
    expect(body).toEqual({
      result: 'success',
      msg: '',
      uri: expect.stringMatching(/^\/user_uploads\/\d+\/\w\w\/\w{32}\/my-report\.txt$/),
    });
    const file = await fetchFile(body.uri, people.member.headers);
    expect(file.status).toBe(200);
    expect(file.bytes.equals(bytes)).toBe(true);
    expect(file.headers.get('content-length')).toBe(String(bytes.length));
  });

  test('Uploaded files are served so that nothing in them runs in a browser', async () => {
    const html = '<script>alert(document.cookie)</script>';
    for (const type of ['text/html', 'image/svg+xml']) {
      const { body } = await upload(people.member, formOf(['page.html', html, type]));
      const { headers } = await fetchFile(body.uri, people.member.headers);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''page.html");
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const { body } = await upload(people.member, formOf(['cat.png', PNG, 'image/png']));
    const { headers } = await fetchFile(body.uri, people.member.headers);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toMatch(/^inline;/);
  });

  test.each([
    ['song.mp3', 'audio/mpeg', 'audio/mpeg', "media-src 'self'"],
    ['clip.webm', 'application/octet-stream', 'video/webm', "media-src 'self'"],
    ['paper.pdf', 'application/pdf', 'application/pdf', "object-src 'self'"],
  ])('A browser opens %s of type %s by itself, without scripts', async (name, sent, type, allowed) => {
    const { body } = await upload(people.member, formOf([name, '<script>alert(1)</script>', sent]));
    const { headers } = await fetchFile(body.uri, people.member.headers);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(/^inline;/);
    expect(headers.get('content-security-policy')).toMatch(new RegExp(`^default-src 'none'; ${allowed}; `));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('A part of a file is sent to players that jump to it', async () => {
    const bytes = Buffer.from(Array.from({ length: 2.5 * MEGABYTE }, (_, at) => (at * 7 + (at >> 8)) % 256));
    const { body } = await upload(people.member, formOf(['clip.mp4', bytes, 'video/mp4']));
    const part = (range: string) => fetchFile(body.uri, { ...people.member.headers, Range: range });
    for (const [range, from, to] of [
      ['bytes=0-', 0, bytes.length - 1],
      [`bytes=${MEGABYTE - 10}-${2 * MEGABYTE + 9}`, MEGABYTE - 10, 2 * MEGABYTE + 9],
      ['bytes=-5', bytes.length - 5, bytes.length - 1],
    ] as const) {
      const file = await part(range);
      expect(file.status).toBe(206);
      expect(file.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.length}`);
      expect(file.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await part(`bytes=${bytes.length}-`);
    expect([beyond.status, beyond.bytes.length]).toEqual([200, bytes.length]);
  });

  test('File names keep letters of every script and lose their paths', async () => {
    const { body } = await upload(people.member, formOf(['../../etc/отчёт 1.txt', 'x']));
    expect(decodeURIComponent(body.uri)).toMatch(/\/отчёт-1\.txt$/);
    expect((await fetchFile(body.uri, people.member.headers)).bytes.toString()).toBe('x');
    expect((await upload(people.member, formOf(['<>', 'x']))).body.uri).toMatch(/\/file$/);
  });

  test('An upload needs exactly one file of at most 25 MB', async () => {
    expect(await upload(people.member, formOf())).toMatchObject(refusal('You must specify a file to upload'));
    expect(await people.member.post('/user_uploads')).toMatchObject(refusal('You must specify a file to upload'));
    expect(await upload(people.member, formOf(['a', 'x'], ['b', 'y']))).toMatchObject(
      refusal('You may only upload one file at a time'),
    );
    const large = formOf(['large', Buffer.alloc(25 * MEGABYTE + 1)]);
    expect(await upload(people.member, large)).toMatchObject(
      refusal('Uploaded file is larger than the allowed limit of 25 MB'),
    );
    expect((await upload(people.member, formOf(['most', Buffer.alloc(25 * MEGABYTE)]))).status).toBe(200);
  });

  test('An upload leaves no temporary file, even if its form breaks off', async () => {
    const broken = await people.member.ask('/user_uploads', {
      method: 'POST',
      raw: '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf a fi',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(broken).toMatchObject(refusal('Malformed form data'));
    const { port } = new URL(node.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /api/v1/user_uploads HTTP/1.1', 'Host: x', 'Content-Length: 1000'];
    const more = [
      'Content-Type: multipart/form-data; boundary=x',
      `Authorization: ${people.member.headers['Authorization']}`,
    ];
    const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf a fi';
    socket.write(`${[...head, ...more].join('\r\n')}\r\n\r\n${part}`);
    await until(spooled, (names) => names.length > 0);
    socket.destroy();
    await until(spooled, (names) => names.length === 0);
  });

  test('An upload is published to its owner, who can list and delete it', async () => {
    let uri = '';
    const published = await publishedBy(node.kernel, async () => {
      uri = (await upload(people.other, formOf(['notes.txt', 'hello']))).body.uri;
    });
    const attachment = {
      id: expect.any(Number),
      name: 'notes.txt',
      path_id: uri.replace('/user_uploads/', ''),
      size: 5,
      create_time: expect.any(Number),
      messages: [],
    };
    expect(published).toEqual([
      {
        to: [people.other.id],
        event: { type: 'attachment', op: 'add', attachment, upload_space_used: expect.any(Number) },
      },
    ]);
    const { attachments } = (await people.other.get('/attachments')).body;
    expect(attachments).toEqual([attachment]);
    const path = `/attachments/${attachments[0].id}`;
    expect(await people.member.del(path)).toMatchObject(refusal('Invalid attachment'));
    expect((await people.other.del(path)).status).toBe(200);
    expect((await fetchFile(uri, people.other.headers)).status).toBe(404);
  });
});

describe('Downloads', () => {
  test('A download needs an authorization header or a key in the URL', async () => {
    const { uri } = (await upload(people.member, formOf(['a.txt', 'secret']))).body;
    expect((await fetchFile(uri, {})).status).toBe(401);
    await people.member.post('/messages', { type: 'stream', to: 'test', topic: 'files', content: `[a](${uri})` });
    const key = Buffer.from(people.other.headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
    expect((await fetchFile(`${uri}?api_key=${key}`, {})).bytes.toString()).toBe('secret');
    expect((await fetchFile(`${uri}?api_key=${'x'.repeat(32)}`, {})).status).toBe(401);
    const webhook = await node.basic('webhook-bot@example.com');
    expect((await fetchFile(uri, webhook)).status).toBe(401);
  });

  test('Downloading an unknown file gives 404', async () => {
    const { status } = await fetchFile(`/user_uploads/1/ab/${'a'.repeat(32)}/x.txt`, people.member.headers);
    expect(status).toBe(404);
  });
});

test('The avatar route finds users by email address and by id', async () => {
  const byEmail = await fetchFile('/avatar/member@example.com', people.other.headers);
  expect(byEmail.status).toBe(302);
  const place = addressBehind(byEmail.headers.get('location'));
  expect(place).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/);
  const medium = await fetchFile(`/avatar/${people.member.id}/medium`, people.other.headers);
  expect(addressBehind(medium.headers.get('location'))).toBe(place.replace('&version=', '&s=500&version='));
  expect((await fetchFile('/avatar/member@example.com', {})).status).toBe(401);
});

test.each(['/generate_204', '/api/v1/generate_204'])(
  'The connectivity check at %s gets an empty 204 response',
  async (path) => {
    const { status, bytes } = await fetchFile(path, {});
    expect([status, bytes.length]).toEqual([204, 0]);
  },
);
