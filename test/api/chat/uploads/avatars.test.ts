import sharp from 'sharp';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { addressBehind, bomb, formOf, PNG, rectangle, type Colour } from '../../../support/pictures';
import { publishedBy } from '../../../support/chat/published';
import { until } from '../../../support/until';

let cluster: Cluster;
let node: TestNode;
let second: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', PUBLIC_URL: 'https://chat.example.org' });
  await cluster.seed();
  node = await cluster.node();
  second = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const UPLOADED = /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?x=x&version=\d+$/;
const DEFAULT = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=\d+$/;

const photograph = (colour: Colour) => rectangle(300, 200, colour).jpeg().toBuffer();
const upload = (by: Caller, ...files: (Uint8Array | string)[]) =>
  by.ask('/users/me/avatar', { method: 'POST', raw: formOf(...files) });
const mediumOf = (url: string) => url.replace('.png?', '-medium.png?');

/** Fetched without credentials, from another node. */
async function seen(url: string) {
  const response = await fetch(new URL(url, second.url));
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return { status: response.status };
  const { format, width, height } = await sharp(bytes).metadata();
  const { dominant } = await sharp(bytes).stats();
  return { status: 200, headers: response.headers, format, width, height, colour: dominant };
}

const RED = { r: 248, g: 8, b: 8 };
const BLUE = { r: 8, g: 8, b: 248 };

describe('Uploaded avatars', () => {
  let url: string;

  test('Uploading an avatar returns its URL and publishes the change to everybody', async () => {
    const published = await publishedBy(node.kernel, async () => {
      url = (await upload(people.member, await photograph('red'))).body.avatar_url;
    });
    expect(url).toMatch(UPLOADED);
    const person = { user_id: people.member.id, email: people.member.email };
    const fields = { avatar_source: 'U', avatar_url: url, avatar_url_medium: mediumOf(url) };
    expect(published).toEqual([
      { to: 'everyone', event: { type: 'realm_user', op: 'update', person: { ...person, ...fields } } },
    ]);
  });

  test('Every node serves an uploaded avatar in two sizes to anyone who knows its URL', async () => {
    const small = await seen(url);
    expect(small).toMatchObject({ status: 200, format: 'png', width: 100, height: 100, colour: RED });
    expect(small.headers!.get('content-type')).toBe('image/png');
    expect(small.headers!.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(small.headers!.get('cache-control')).toContain('max-age=31536000');
    expect(await seen(mediumOf(url))).toMatchObject({ status: 200, width: 500, height: 500 });
    for (const path of [
      url.replace(/[0-9a-f]{40}/, '0'.repeat(40)),
      url.replace('/1/', '/2/'),
      '/user_avatars/1/x.png',
    ]) {
      expect(await seen(path)).toEqual({ status: 404 });
    }
  });

  test('An uploaded avatar is shown wherever the API shows the user', async () => {
    expect((await people.member.get('/users/me')).body.avatar_url).toBe(url);
    const { id } = (await people.member.post('/messages', { type: 'stream', to: 'test', topic: 'a', content: 'hi' }))
      .body;
    const reading = { anchor: String(id), num_before: '0', num_after: '0' };
    for (const how of [{}, { client_gravatar: 'true' }]) {
      const { members } = (await people.other.get('/users', how)).body;
      expect(members).toContainEqual(expect.objectContaining({ user_id: people.member.id, avatar_url: url }));
      const { messages } = (await people.other.get('/messages', { ...reading, ...how })).body;
      expect(messages).toMatchObject([{ avatar_url: url }]);
      const { realm_users: users } = (await people.other.post('/register', how)).body;
      expect(users).toContainEqual(expect.objectContaining({ user_id: people.member.id, avatar_url: url }));
    }
    const own = (await people.member.post('/register', { client_gravatar: 'true' })).body;
    expect(own).toMatchObject({ avatar_source: 'U', avatar_url: url, avatar_url_medium: mediumOf(url) });
    const { members } = (await people.other.get('/users', { client_gravatar: 'true' })).body;
    expect(members).toContainEqual(expect.objectContaining({ user_id: people.other.id, avatar_url: null }));
  });

  test('Message events carry an uploaded avatar even to clients that compute default avatars', async () => {
    const asked = { event_types: '["message"]', client_gravatar: 'true' };
    const { queue_id } = (await people.other.post('/register', asked)).body;
    await people.member.post('/messages', { type: 'stream', to: 'test', topic: 'a', content: 'hi' });
    await people.owner.post('/messages', { type: 'stream', to: 'test', topic: 'a', content: 'hi' });
    const { events } = await until(
      async () => (await people.other.get('/events', { queue_id, last_event_id: '-1', dont_block: 'true' })).body,
      ({ events: published }) => published.length === 2,
    );
    expect(events).toMatchObject([{ message: { avatar_url: url } }, { message: { avatar_url: null } }]);
  });

  test("The avatar route finds a user's avatar by user id and by email address", async () => {
    const location = async (who: string | number) =>
      (await people.other.ask(`/avatar/${who}`, {})).headers.get('location');
    /** Pictures that this server fetches, so that readers need not. */
    const fetched = async (who: string) => addressBehind(await location(who));
    expect(await location(people.member.id)).toBe(url);
    expect(await location('Member@example.com')).toBe(url);
    expect(await location(`${people.member.id}/medium`)).toBe(mediumOf(url));
    expect(await location(`${people.member.id}?s=30`)).toBe(url);
    expect(await fetched('nobody@example.org?s=30')).toMatch(/gravatar\.com\/.*&s=30$/);
    expect(await fetched('nobody@example.org?s=30%26d=x')).toMatch(/&version=1$/);
    expect(await fetched(`${people.other.id}?s=30`)).toMatch(/gravatar\.com\/.*&s=30$/);
  });

  test('A new upload replaces the avatar at the same path under another version', async () => {
    const { avatar_url: next } = (await upload(people.member, await photograph('blue'))).body;
    expect(next).not.toBe(url);
    expect(next.split('?')[0]).toBe(url.split('?')[0]);
    expect(await seen(next)).toMatchObject({ colour: BLUE });
    url = next;
  });

  test('Deleting an avatar restores the default one and removes the uploaded file', async () => {
    let answer: Awaited<ReturnType<Caller['del']>>;
    const published = await publishedBy(node.kernel, async () => {
      answer = await people.member.del('/users/me/avatar');
    });
    const { avatar_url: now } = answer!.body;
    expect(now).toMatch(DEFAULT);
    const mediumDefault = now.replace('&version=', '&s=500&version=');
    expect(published).toMatchObject([
      { to: 'everyone', event: { person: { avatar_source: 'G', avatar_url: now, avatar_url_medium: mediumDefault } } },
    ]);
    expect(await seen(url)).toEqual({ status: 404 });
    expect((await people.member.get('/users/me')).body.avatar_url).toBe(now);
    // A new avatar does not have the address of the old one.
    const { avatar_url: later } = (await upload(people.member, PNG)).body;
    expect(later.split('?')[0]).not.toBe(url.split('?')[0]);
  });
});

describe('Refused avatars', () => {
  test('An upload that is not exactly one decodable picture within the size limits is refused', async () => {
    const one = refusal('You must upload exactly one avatar.');
    expect(await people.other.post('/users/me/avatar')).toMatchObject(one);
    expect(await upload(people.other, PNG, PNG)).toMatchObject(one);
    expect(await upload(people.other, Buffer.alloc(5 * 1024 * 1024 + 1))).toMatchObject(
      refusal('Uploaded file is larger than the allowed limit of 5 MB'),
    );
    for (const bytes of ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', PNG.subarray(0, 20), '']) {
      expect(await upload(people.other, bytes)).toMatchObject(
        refusal('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' }),
      );
    }
    expect(await upload(people.other, bomb(20_000, 20_000))).toMatchObject(
      refusal('Image size exceeds limit.', { code: 'BAD_IMAGE' }),
    );
    expect((await people.other.get('/users/me')).body.avatar_url).toMatch(DEFAULT);
  });

  test('Members cannot change their avatars where the organisation leaves that to administrators', async () => {
    await people.owner.patch('/realm', { avatar_changes_disabled: 'true' });
    const disabled = refusal('Avatar changes are disabled in this organization.');
    expect(await upload(people.other, PNG)).toMatchObject(disabled);
    expect(await people.other.del('/users/me/avatar')).toMatchObject(disabled);
    expect((await upload(people.owner, PNG)).status).toBe(200);
    await people.owner.patch('/realm', { avatar_changes_disabled: 'false' });
  });
});

describe('Avatars of bots', () => {
  const withPicture = (fields: Record<string, string>, picture: Uint8Array | string) => {
    const form = formOf(picture);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };
  const names = { full_name: 'Pictured Bot', short_name: 'pictured' };
  let id: number;
  let url: string;

  test('A bot can be created with an avatar, and both bot events carry its URL', async () => {
    const published = await publishedBy(node.kernel, async () => {
      const raw = withPicture(names, await photograph('red'));
      ({ user_id: id, avatar_url: url } = (await people.member.ask('/bots', { method: 'POST', raw })).body);
    });
    expect(url).toMatch(UPLOADED);
    expect(await seen(url)).toMatchObject({ width: 100, colour: RED });
    expect(published).toMatchObject([
      { to: 'everyone', event: { type: 'realm_user', op: 'add', person: { user_id: id, avatar_url: url } } },
      { event: { type: 'realm_bot', op: 'add', bot: { user_id: id, avatar_url: url } } },
    ]);
  });

  test("Changing a bot's avatar publishes realm_user to everybody and realm_bot to its owner", async () => {
    const before = url;
    const published = await publishedBy(node.kernel, async () => {
      const raw = withPicture({ full_name: 'Repainted Bot' }, await photograph('blue'));
      ({ avatar_url: url } = (await people.member.ask(`/bots/${id}`, { method: 'PATCH', raw })).body);
    });
    expect(url).not.toBe(before);
    expect(await seen(url)).toMatchObject({ colour: BLUE });
    const about = { user_id: id, avatar_url: url };
    expect(published.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        { type: 'realm_user', op: 'update', person: expect.objectContaining({ ...about, avatar_source: 'U' }) },
        { type: 'realm_bot', op: 'update', bot: { email: expect.any(String), ...about } },
      ]),
    );
    const { bots } = (await people.member.get('/bots')).body;
    expect(bots).toContainEqual(expect.objectContaining({ ...about, full_name: 'Repainted Bot' }));
    const { realm_bots: listed } = (await people.member.post('/register', { event_types: '["realm_bot"]' })).body;
    expect(listed).toContainEqual(expect.objectContaining(about));
  });

  test('An avatar that is no picture creates no bot and leaves an existing bot unchanged', async () => {
    const bad = refusal('Could not decode image; did you upload an image file?');
    const raw = () => withPicture({ full_name: 'Unseen Bot', short_name: 'unseen' }, 'no picture');
    expect(await people.member.ask('/bots', { method: 'POST', raw: raw() })).toMatchObject(bad);
    expect(await people.member.ask(`/bots/${id}`, { method: 'PATCH', raw: raw() })).toMatchObject(bad);
    const { bots } = (await people.member.get('/bots')).body;
    const seenNames = bots.map(({ full_name: name }: { full_name: string }) => name);
    expect(seenNames).toContain('Repainted Bot');
    expect(seenNames).not.toContain('Unseen Bot');
  });
});
