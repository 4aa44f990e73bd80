import sharp from 'sharp';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type Caller, type DemoPeople } from '../../../support/chat/people';
import { bomb, formOf, PNG, rectangle } from '../../../support/pictures';
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
const DEFAULT_LOGO = '/static/images/logo/zulip-org-logo.png?version=0';
const DEFAULT_ICON = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon$/;

function upload(
  by: Caller,
  path: string,
  files: readonly (Uint8Array | string)[],
  fields: Record<string, string> = {},
) {
  const raw = formOf(...files);
  for (const [name, value] of Object.entries(fields)) raw.append(name, value);
  return by.ask(path, { method: 'POST', raw });
}

/** Without credentials. */
async function sizeAt(url: string) {
  const response = await fetch(new URL(url, node.url));
  expect(response.headers.get('content-type')).toBe('image/png');
  const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [width, height];
}

const location = async (path: string, query: Record<string, string> = {}) =>
  (await people.guest.get(path, query)).headers.get('location');
const state = async () => (await people.guest.post('/register', { fetch_event_types: '["realm"]' })).body;

describe('Icon of an organisation', () => {
  test("An administrator uploads the organisation's icon, which is published to everybody", async () => {
    let url = '';
    const published = await publishedBy(node.kernel, async () => {
      const photograph = await rectangle(300, 200).webp().toBuffer();
      url = (await upload(people.owner, '/realm/icon', [photograph])).body.icon_url;
    });
    expect(url).toMatch(/^\/user_avatars\/\d+\/realm\/icon\.png\?version=2$/);
    const data = { icon_source: 'U', icon_url: url };
    expect(published).toEqual([
      { to: 'everyone', event: { type: 'realm', op: 'update_dict', property: 'icon', data } },
    ]);
    expect(await sizeAt(url)).toEqual([100, 100]);
    expect(await location('/realm/icon')).toBe(url);
    expect((await node.call('/api/v1/server_settings')).body.realm_icon).toBe(url);
    expect(await state()).toMatchObject({ realm_icon_source: 'U', realm_icon_url: url });
  });

  test("Deleting the organisation's icon restores the default icon", async () => {
    const { icon_url: url } = (await people.owner.del('/realm/icon')).body;
    expect(url).toMatch(DEFAULT_ICON);
    expect(await location('/realm/icon')).toBe(url);
    expect(await state()).toMatchObject({ realm_icon_source: 'G', realm_icon_url: url });
    expect((await fetch(new URL('/user_avatars/1/realm/icon.png', node.url))).status).toBe(404);
  });

  test('An icon is refused from members, and unless it is exactly one picture', async () => {
    expect(await upload(people.member, '/realm/icon', [PNG])).toMatchObject(ADMINS_ONLY);
    expect(await people.member.del('/realm/icon')).toMatchObject(ADMINS_ONLY);
    const one = refusal('You must upload exactly one icon.');
    expect(await upload(people.owner, '/realm/icon', [])).toMatchObject(one);
    expect(await upload(people.owner, '/realm/icon', [PNG, PNG])).toMatchObject(one);
    expect(await upload(people.owner, '/realm/icon', ['text'])).toMatchObject(
      refusal('Could not decode image; did you upload an image file?'),
    );
    expect(await upload(people.owner, '/realm/icon', [bomb(20_000, 20_000)])).toMatchObject(
      refusal('Image size exceeds limit.'),
    );
    expect(await upload(people.owner, '/realm/icon', [Buffer.alloc(5 * 1024 * 1024 + 1)])).toMatchObject(
      refusal('Uploaded file is larger than the allowed limit of 5 MB'),
    );
  });
});

describe.each([
  ['day', 'false', 'logo'],
  ['night', 'true', 'night_logo'],
])('Logo of an organisation (%s)', (_, night, kind) => {
  test('An administrator uploads a logo, which keeps its proportions and is published to everybody', async () => {
    const banner = await rectangle(1000, 200).png().toBuffer();
    const published = await publishedBy(node.kernel, async () => {
      expect((await upload(people.owner, '/realm/logo', [banner], { night })).body).toEqual({
        result: 'success',
        msg: '',
      });
    });
    const url = `/user_avatars/1/realm/${kind}.png?version=2`;
    const data = { [`${kind}_source`]: 'U', [`${kind}_url`]: url };
    expect(published).toEqual([{ to: 'everyone', event: { type: 'realm', op: 'update_dict', property: kind, data } }]);
    expect(await sizeAt(url)).toEqual([500, 100]);
    expect(await location('/realm/logo', { night })).toBe(url);
    expect(await state()).toMatchObject({ [`realm_${kind}_source`]: 'U', [`realm_${kind}_url`]: url });
  });

  test('Deleting a logo restores the default logo, which is served as a picture', async () => {
    expect((await people.owner.del('/realm/logo', { night })).status).toBe(200);
    expect(await location('/realm/logo', { night })).toBe(DEFAULT_LOGO);
    expect(await sizeAt(DEFAULT_LOGO)).toEqual([200, 100]);
    expect(await state()).toMatchObject({ [`realm_${kind}_source`]: 'D', [`realm_${kind}_url`]: DEFAULT_LOGO });
  });

  test('A logo is refused from members, and unless it is exactly one picture', async () => {
    expect(await upload(people.member, '/realm/logo', [PNG], { night })).toMatchObject(ADMINS_ONLY);
    expect(await people.member.del('/realm/logo', { night })).toMatchObject(ADMINS_ONLY);
    const one = refusal('You must upload exactly one logo.');
    expect(await upload(people.owner, '/realm/logo', [], { night })).toMatchObject(one);
    expect(await upload(people.owner, '/realm/logo', [PNG, PNG], { night })).toMatchObject(one);
    expect(await upload(people.owner, '/realm/logo', ['text'], { night })).toMatchObject(
      refusal('Could not decode image; did you upload an image file?'),
    );
  });
});

test('A logo request that does not choose between day and night is refused', async () => {
  const missing = refusal("Missing 'night' argument");
  expect(await upload(people.owner, '/realm/logo', [PNG])).toMatchObject(missing);
  expect(await people.owner.del('/realm/logo')).toMatchObject(missing);
  expect(await people.owner.get('/realm/logo')).toMatchObject(missing);
});

test("Changing an organisation's settings keeps its pictures", async () => {
  const { icon_url: url } = (await upload(people.owner, '/realm/icon', [PNG])).body;
  await people.owner.patch('/realm', { description: '"Another one"' });
  expect(await location('/realm/icon')).toBe(url);
  expect((await fetch(new URL('/static/images/logo/another.png', node.url))).status).toBe(404);
});
