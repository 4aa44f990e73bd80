import sharp from 'sharp';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { animation, bomb, delays, PNG, rectangle } from '../../../support/pictures';
import { publishedBy } from '../../../support/chat/published';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const ADMINS_ONLY = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });

function add(by: Caller, name: string, ...files: Uint8Array[]) {
  const form = new FormData();
  form.append('note', 'a form has fields too');
  for (const [place, bytes] of files.entries()) form.append(`file${place}`, new Blob([bytes as BlobPart]), 'x.png');
  return by.ask(`/realm/emoji/${name}`, { method: 'POST', raw: form });
}
const emoji = async () => (await people.guest.get('/realm/emoji')).body.emoji;

describe('Custom emoji', () => {
  test('A custom emoji is published to everybody, and its image is served to anyone', async () => {
    // A space becomes an underscore.
    const published = await publishedBy(node.kernel, () => add(people.member, 'party%20parrot', PNG));
    const [id] = Object.keys(await emoji());
    const entry = {
      id,
      name: 'party_parrot',
      source_url: expect.stringMatching(new RegExp(`^/user_avatars/\\d+/emoji/images/${id}\\.png$`)),
      deactivated: false,
      author: { id: people.member.id, email: 'member@example.com', full_name: 'Max Member' },
    };
    expect(await emoji()).toEqual({ [id!]: entry });
    const event = { type: 'realm_emoji', op: 'update', realm_emoji: { [id!]: entry } };
    expect(published).toEqual([{ to: 'everyone', event }]);

    const response = await fetch(new URL((await emoji())[id!].source_url, node.url));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-security-policy')).toMatch('sandbox');
    const facts = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect(facts).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect((await fetch(new URL('/user_avatars/1/emoji/images/999.png', node.url))).status).toBe(404);
  });

  test('A custom emoji with a bad name or without exactly one decodable picture is refused', async () => {
    expect(await add(people.other, 'party_parrot', PNG)).toMatchObject(
      refusal('A custom emoji with this name already exists.'),
    );
    for (const name of ['Upper', 'dot.', '-', 'a%09b', '%D0%B6']) {
      expect([name, await add(people.other, name, PNG)]).toMatchObject([
        name,
        refusal('Invalid characters in emoji name'),
      ]);
    }
    expect(await add(people.other, 'text', Buffer.from('<svg onload=alert(1)>'))).toMatchObject(
      refusal('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' }),
    );
    expect(await add(people.other, 'bomb', bomb(20_000, 20_000))).toMatchObject(
      refusal('Image size exceeds limit.', { code: 'BAD_IMAGE' }),
    );
    expect(await add(people.other, 'none')).toMatchObject(refusal('You must upload exactly one file.'));
    expect(await add(people.other, 'two', PNG, PNG)).toMatchObject(refusal('You must upload exactly one file.'));
    expect(await add(people.other, 'large', Buffer.alloc(5 * 1024 * 1024 + 1))).toMatchObject(
      refusal('Uploaded file is larger than the allowed limit of 5 MB'),
    );
    expect(await add(people.guest, 'mine', PNG)).toMatchObject(refusal('Not allowed for guest users'));
  });

  test('Custom emoji accept any common image format and stay animated', async () => {
    const shown = async (name: string) => {
      const all = Object.values(await emoji()) as { name: string; source_url: string }[];
      const { source_url: url } = all.find((each) => each.name === name)!;
      const response = await fetch(new URL(url, node.url));
      const bytes = Buffer.from(await response.arrayBuffer());
      return { url, type: response.headers.get('content-type'), facts: await sharp(bytes).metadata() };
    };
    await add(people.member, 'avif', await rectangle(90, 30).avif().toBuffer());
    expect(await shown('avif')).toMatchObject({ type: 'image/png', facts: { format: 'png', width: 64, height: 64 } });
    const gif = await (await animation(90, 90, 4)).gif({ delay: delays(4) }).toBuffer();
    await add(people.member, 'moving', gif);
    expect(await shown('moving')).toMatchObject({
      url: expect.stringMatching(/\.gif$/),
      type: 'image/gif',
      facts: { format: 'gif', width: 64, height: 64, pages: 4, delay: delays(4) },
    });
    for (const name of ['avif', 'moving']) await people.member.del(`/realm/emoji/${name}`);
  });

  test('The author or an administrator deactivates a custom emoji, which frees its name', async () => {
    expect(await people.other.del('/realm/emoji/party_parrot')).toMatchObject(
      refusal('Must be an organization administrator or emoji author'),
    );
    expect((await people.member.del('/realm/emoji/party_parrot')).status).toBe(200);
    expect(Object.values(await emoji())).toContainEqual(
      expect.objectContaining({ name: 'party_parrot', deactivated: true }),
    );
    expect(await people.member.del('/realm/emoji/party_parrot')).toMatchObject(
      refusal("Emoji 'party_parrot' does not exist"),
    );
    expect((await add(people.other, 'party_parrot', PNG)).status).toBe(200);
    expect((await people.owner.del('/realm/emoji/party_parrot')).status).toBe(200);
    expect(Object.keys(await emoji())).toHaveLength(4);
  });

  test('An organisation can restrict custom emoji to administrators', async () => {
    await people.owner.patch('/realm', { add_emoji_by_admins_only: 'true' });
    expect(await add(people.member, 'later', PNG)).toMatchObject(ADMINS_ONLY);
    await people.owner.patch('/realm', { add_emoji_by_admins_only: 'false' });
  });
});

describe('Linkifiers', () => {
  const make = (pattern: string, url_format_string: string, by = people.owner) =>
    by.post('/realm/filters', { pattern, url_format_string });
  const filters = async () => (await people.guest.get('/realm/filters')).body.filters;
  const [pattern, url] = ['#(?P<id>[0-9]+)', 'https://bugs.example.com/%(id)s'] as const;

  test('Administrators add and remove linkifiers, and each change is published to everybody', async () => {
    let id = 0;
    const published = await publishedBy(node.kernel, async () => {
      id = (await make(pattern, url)).body.id;
    });
    expect(await filters()).toEqual([[pattern, url, id]]);
    expect(published).toEqual([
      { to: 'everyone', event: { type: 'realm_filters', realm_filters: [[pattern, url, id]] } },
    ]);
    expect((await make(pattern, url)).body.msg).toBe('Realm filter with this Realm and Pattern already exists.');
    expect(await people.member.del(`/realm/filters/${id}`)).toMatchObject(ADMINS_ONLY);
    expect((await people.owner.del(`/realm/filters/${id}`)).status).toBe(200);
    expect(await people.owner.del(`/realm/filters/${id}`)).toMatchObject(refusal('Filter not found'));
    expect(await filters()).toEqual([]);
  });

  test.each([
    ['a pattern without a group', '#[0-9]+', url],
    ['a pattern of exponential time', '(?P<id>(a+)+)$', url],
    ['a pattern of non-linear time', '(?P<id>(a|a)*b)', url],
    ['a link that is no web address', pattern, 'javascript:%(id)s'],
    ['a link with an unknown group', pattern, 'https://x.org/%(other)s'],
    ['a pattern that is too long', `#(?P<id>${'a'.repeat(600)})`, url],
  ])('A linkifier is refused for %s', async (_, written, format) => {
    expect((await make(written, format)).status).toBe(400);
    expect(await filters()).toEqual([]);
  });

  test('Administrators put linkifiers in order, and the first that fits counts', async () => {
    const add = async (text: string, host: string): Promise<number> =>
      (await make(text, `https://${host}/%(id)s`)).body.id;
    const [one, two] = [await add(pattern, 'one'), await add('#(?P<id>[0-9a-z]+)', 'two')];
    const order = (by: Caller, ...ids: unknown[]) =>
      by.patch('/realm/linkifiers', { ordered_linkifier_ids: JSON.stringify(ids) });
    const listed = async (): Promise<number[]> =>
      (await people.guest.get('/realm/linkifiers')).body.linkifiers.map((each: { id: number }) => each.id);
    const rendered = async () => (await people.guest.post('/messages/render', { content: '#12' })).body.rendered;
    expect(await rendered()).toContain('https://one/12');
    const published = await publishedBy(node.kernel, () => order(people.owner, two, one));
    expect(published.map(({ event }) => event.type)).toEqual(['realm_filters']);
    expect(await listed()).toEqual([two, one]);
    expect(await rendered()).toContain('https://two/12');
    expect(await order(people.member, one, two)).toMatchObject(ADMINS_ONLY);
    const whole = 'The ordered list must enumerate all existing linkifiers exactly once';
    expect(await order(people.owner, one)).toMatchObject(refusal(whole));
    expect(await order(people.owner, one, two, 99_999)).toMatchObject(refusal(whole));
    expect(await order(people.owner, one, one)).toMatchObject(
      refusal('The ordered list must not contain duplicated linkifiers'),
    );
    for (const id of [one, two]) await people.owner.del(`/realm/filters/${id}`);
  });

  test('Members cannot add linkifiers', async () => {
    expect(await make(pattern, url, people.member)).toMatchObject(ADMINS_ONLY);
  });
});

describe('Devices for push notifications', () => {
  test.each([
    ['apns_device_token', 'abcdef0123'],
    ['android_gcm_reg_id', 'dGhpcyBp:cyBh_token-x'],
  ])('A user registers and removes a push token at %s', async (path, token) => {
    const place = `/users/me/${path}`;
    expect((await people.member.post(place, { token })).status).toBe(200);
    expect((await people.member.post(place, { token })).status).toBe(200);
    expect(await people.other.del(place, { token })).toMatchObject(refusal('Token does not exist'));
    expect((await people.member.del(place, { token })).status).toBe(200);
    expect(await people.member.del(place, { token })).toMatchObject(refusal('Token does not exist'));
    expect(await people.member.post(place, { token: '' })).toMatchObject(refusal('Empty or invalid length token'));
  });

  test('An Apple push token that is not hexadecimal is refused', async () => {
    expect(await people.member.post('/users/me/apns_device_token', { token: 'xyz' })).toMatchObject(
      refusal('Invalid APNS token'),
    );
  });
});

test('A development server lists the users to log in as, and a production server does not', async () => {
  const { body } = await node.call('/api/v1/dev_list_users');
  expect(body.direct_admins).toEqual([{ email: 'owner@example.com', realm_uri: expect.any(String) }]);
  expect(body.direct_users.map(({ email }: { email: string }) => email)).toEqual([
    'member@example.com',
    'other@example.com',
    'guest@example.com',
  ]);
  const closed = await cluster.node({ AUTH_METHODS: 'password' });
  expect(await closed.call('/api/v1/dev_list_users')).toMatchObject(refusal('Dev environment not enabled.'));
});
