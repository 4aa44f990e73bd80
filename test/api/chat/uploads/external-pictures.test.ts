import type { ServerResponse } from 'node:http';
import { externalPath } from '../../../../src/chat/model/uploads/external-picture';
import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { openOtherServer, OTHER_SERVER, type OtherServer } from '../../../support/servers/other-server';
import { formOf, PNG } from '../../../support/pictures';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;
let other: OtherServer;

const OWN_URL = 'https://chat.example.com';

beforeAll(async () => {
  other = await openOtherServer();
  cluster = await openCluster({ ...OTHER_SERVER, RATE_LIMIT: 'off', PUBLIC_URL: OWN_URL });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(async () => {
  await cluster.close();
  await other.close();
});

let pictures = 0;
/** A picture that is new to the server. */
function picture(respond: (response: ServerResponse) => void, path = `/picture-${(pictures += 1)}.png`): string {
  other.at(path, respond);
  return other.url(path);
}
const served =
  (bytes: Buffer | string, type = 'image/png') =>
  (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': type }).end(bytes);
const asked = (url: string) => other.received.filter(({ path }) => other.url(path) === url);

const thumbnailOf = (url: string, size = 'thumbnail') => `/thumbnail?url=${encodeURIComponent(url)}&size=${size}`;
const open = (path: string, headers = {}) => fetch(new URL(path, node.url), { headers, redirect: 'manual' });
/** Without credentials: the address is enough. */
const load = (url: string) => open(externalPath(node.kernel.secrets, url));

async function send(content: string): Promise<number> {
  return (await people.member.post('/messages', { type: 'stream', to: 'test', topic: 'a', content })).body.id;
}
async function renderedOf(id: number): Promise<string> {
  const query = { anchor: String(id), num_before: '0', num_after: '0', apply_markdown: 'true' };
  return (await people.other.get('/messages', query)).body.messages[0].content;
}

describe('Pictures of other servers', () => {
  test('A message shows a picture of another server through this one, which fetches it once for all readers', async () => {
    const url = picture(served(PNG, 'application/octet-stream'));
    const html = await renderedOf(await send(url));
    const [, src = ''] = / src="([^"]*)"/.exec(html) ?? [];
    expect(src).toBe(thumbnailOf(url).replace('&', '&amp;'));
    const { status, headers } = await open(src.replace('&amp;', '&'), people.other.headers);
    const location = headers.get('location')!;
    expect([status, location]).toEqual([302, externalPath(node.kernel.secrets, url)]);
    const all = await Promise.all(Array.from({ length: 10 }, () => open(location)));
    for (const answer of [...all, await open(location)]) {
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    }
    expect(Object.fromEntries(all[0]!.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400',
    });
    expect(asked(url)).toHaveLength(1);
  });

  test('The other server learns nothing about the reader', async () => {
    const url = picture(served(PNG));
    const known = { Cookie: 'secret=1', Referer: `${OWN_URL}/x`, 'X-Forwarded-For': '192.0.2.7', Via: 'me' };
    expect((await open(externalPath(node.kernel.secrets, url), { ...known, ...people.member.headers })).status).toBe(
      200,
    );
    expect(Object.keys(asked(url)[0]!.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(asked(url)[0]!.headers['user-agent']).toBe('Partyline picture proxy');
  });

  test('The thumbnail route signs addresses only for users, by header or by key in the URL', async () => {
    const url = other.url('/any.png');
    expect((await open(thumbnailOf(url))).status).toBe(401);
    const key = Buffer.from(people.other.headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
    for (const size of ['full', 'thumbnail']) {
      const answer = await open(`${thumbnailOf(url, size)}&api_key=${key}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, max-age=3600']);
      expect(answer.headers.get('location')).toBe(externalPath(node.kernel.secrets, url));
    }
    expect(await people.other.ask('/thumbnail/', { query: { url, size: 'huge' } })).toMatchObject(
      refusal('Invalid size.', {}, 403),
    );
  });

  test('An address that this server has not signed is refused and not fetched', async () => {
    const url = picture(served(PNG));
    const [, , hmac, hex] = externalPath(node.kernel.secrets, url).split('/');
    const otherHex = Buffer.from(other.url('/forged.png')).toString('hex');
    for (const path of [`${'0'.repeat(64)}/${hex}`, `${hmac}/${otherHex}`, `${hmac}/zz`, `x/${hex}`]) {
      const answer = await open(`/external_content/${path}`);
      expect([answer.status, (await answer.json()).msg]).toEqual([403, 'Not a valid URL.']);
    }
    expect(asked(url)).toEqual([]);
    expect(asked(other.url('/forged.png'))).toEqual([]);
  });

  test('A redirect of an external picture is followed', async () => {
    const url = picture((response) => void response.writeHead(302, { location: other.url('/there.png') }).end());
    other.at('/there.png', served(PNG));
    expect((await load(url)).status).toBe(200);
  });
});

describe('Pictures that are not shown', () => {
  const HTML = '<!doctype html><script>alert(1)</script>';
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test.each<[string, () => string]>([
    ['HTML that claims to be a picture', () => picture(served(HTML))],
    ['an SVG drawing', () => picture(served(SVG, 'image/svg+xml'))],
    ['a picture of more than 5 MiB', () => picture(served(Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])))],
    [
      'a picture that never ends',
      () =>
        picture((response) => {
          response.writeHead(200, { 'content-type': 'image/png' }).write(PNG);
          const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
          more();
        }),
    ],
    ['an error page with a picture', () => picture((response) => void response.writeHead(500).end(PNG))],
    ['a connection that is cut', () => picture((response) => void response.destroy())],
  ])('%s is 404, and not fetched again at once', async (_, make) => {
    const url = make();
    expect((await load(url)).status).toBe(404);
    expect((await load(url)).status).toBe(404);
    expect(asked(url)).toHaveLength(1);
  });

  test.each<[string, () => string]>([
    ['a private address', () => 'http://10.0.0.1/a.png'],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/a.png'],
    ['an address of this machine in IPv6', () => 'http://[::1]/a.png'],
    ['an address in another notation', () => 'http://0x0a000001/a.png'],
    ['a host name of a private address', () => 'http://inside.example/a.png'],
    ['a port of another service', () => 'http://other.example:22/a.png'],
    ['an address of another scheme', () => 'file:///etc/passwd'],
    [
      'a redirect to a private address',
      () => picture((response) => void response.writeHead(302, { location: 'http://inside.example/a.png' }).end()),
    ],
  ])('%s is 404', async (_, make) => expect((await load(make())).status).toBe(404));

  test('A picture that could not be reached does not keep its message from being sent, and the link stays', async () => {
    const html = await renderedOf(await send('see http://inside.example/a.png'));
    expect(html).toContain('<a href="http://inside.example/a.png" target="_blank"');
  });
});

describe('Pictures of this server under its whole address', () => {
  test('An upload is served to those who may see it, and a public picture at its own path', async () => {
    const { uri } = (await people.member.ask('/user_uploads', { method: 'POST', raw: formOf(PNG) })).body;
    const answer = await open(thumbnailOf(OWN_URL + uri, 'full'), people.member.headers);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect((await open(thumbnailOf(OWN_URL + uri, 'full'), people.owner.headers)).status).toBe(404);
    const path = '/user_avatars/1/emoji/images/1.png';
    expect((await open(thumbnailOf(OWN_URL + path), people.member.headers)).headers.get('location')).toBe(path);
    expect((await open(thumbnailOf(`${OWN_URL}/api/v1/users`), people.member.headers)).status).toBe(404);
  });
});
