import { seedDemo } from '../../../../src/telephony/commands/seed-demo';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { DEMO_ONE, DEMO_TWO, signed, postAsCarrier } from './carrier-requests';
import { openPeople, problem, type People, type Person } from '../people';

let cluster: Cluster;
let node: TestNode;
let people: People;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', SWEEP_AFTER_MS: '300' });
  await seedDemo(await cluster.kernel(), 'http://127.0.0.1:9981');
  node = await cluster.node();
  people = await openPeople(node);
  await startWorkers(cluster, 'fax-outbound', 'texting-inbound');
});
afterAll(() => cluster.close());

const PAGES = Buffer.from('%PDF-1.4 two pages');
let counter = 0;
const inboundFax = (more: object = {}) => ({
  id: `fax-${++counter}`,
  from: '+15550107777',
  from_name: 'Dr. Who',
  to: DEMO_ONE.number,
  to_name: 'Front desk',
  subject: 'Results',
  pages: 2,
  content: { name: 'results.pdf', content_type: 'application/pdf', base64: PAGES.toString('base64') },
  received_at: '2026-11-01T10:00:00Z',
  ...more,
});

async function received(more: object = {}) {
  const fax = inboundFax(more);
  expect((await postAsCarrier(node, fax, DEMO_ONE, { about: 'fax' })).status).toBe(204);
  const subject = fax.subject;
  const found = () => people.owner('GET', '/fax/messages?direction=inbound&per_page=1000').then(({ body }) => body);
  const all = await until(found, (list) => list.some((each: { subject: string }) => each.subject === subject));
  return all.find((each: { subject: string }) => each.subject === subject);
}

async function uploaded(by: Person): Promise<string> {
  const { body } = await by('POST', '/files', { name: 'letter.pdf' });
  const raw = new FormData();
  raw.append('upfile', new Blob([new Uint8Array(PAGES)], { type: 'application/pdf' }), 'letter.pdf');
  await by('POST', `/files/${body.id}/upload`, undefined, { raw });
  return body.id as string;
}

describe('POST /webhooks/fax/{carrier}/{token}', () => {
  test('A received fax has its pages as a file and exactly the fields of the specification', async () => {
    const fax = await received({ subject: 'exact' });
    const company = (await people.owner('GET', '/system/company')).body.id;
    expect(fax).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      company,
      created_at: '2026-11-01T10:00:00.000Z',
      file: { id: expect.stringMatching(/^[0-9a-f]{24}$/), internal_id: expect.any(Number) },
      from: '+15550107777',
      from_name: 'Dr. Who',
      is_read: false,
      pages: 2,
      subject: 'exact',
      to: DEMO_ONE.number,
      to_name: 'Front desk',
    });
    const file = await people.owner('GET', `/files/${fax.file.id}`);
    expect(file.body).toMatchObject({ name: 'results.pdf', mimetype: 'application/pdf', size: PAGES.length });
    expect((await people.owner('GET', `/files/${fax.file.id}/content`)).text).toBe(PAGES.toString());
    expect(await people.owner('DELETE', `/files/${fax.file.id}`)).toMatchObject(problem(403));
  });

  test('A received fax whose pages the carrier keeps has a file by reference', async () => {
    const more = { content: null, media_url: 'https://carrier.example/fax/1.tiff', media_type: 'image/tiff' };
    const fax = await received({ subject: 'kept elsewhere', ...more });
    const content = await people.owner('GET', `/files/${fax.file.id}/content`);
    expect(content.status).toBe(302);
    expect(content.headers.get('location')).toBe('https://carrier.example/fax/1.tiff');
  });

  test.each([
    [
      'https://carrier.example/fax/\r\nSet-Cookie: a=1/\u2603.tiff',
      'https://carrier.example/fax/Set-Cookie:%20a=1/%E2%98%83.tiff',
    ],
    ['HTTPS://CARRIER.example/a b\t.tiff', 'https://carrier.example/a%20b.tiff'],
  ])('The address %j of pages is normalised so that a header can hold it', async (written, location) => {
    const more = { content: null, media_url: written, media_type: 'image/tiff' };
    const fax = await received({ subject: `at ${location.length}`, ...more });
    const content = await people.owner('GET', `/files/${fax.file.id}/content`);
    expect([content.status, content.headers.get('location')]).toEqual([302, location]);
  });

  test('A fax that is delivered several times is received once, and a forged one never is', async () => {
    const fax = inboundFax({ subject: 'once' });
    for (let times = 0; times < 3; times += 1) await postAsCarrier(node, fax, DEMO_ONE, { about: 'fax' });
    await received({ subject: 'after' });
    const { body } = await people.owner('GET', '/fax/messages?per_page=1000');
    expect(body.filter(({ subject }: { subject: string }) => subject === 'once')).toHaveLength(1);
    const headers = signed('{}', DEMO_TWO.secret);
    expect(await postAsCarrier(node, fax, DEMO_ONE, { about: 'fax', headers })).toMatchObject(problem(401));
    expect(await postAsCarrier(node, fax, { ...DEMO_ONE, token: 'nobody' }, { about: 'fax' })).toMatchObject(
      problem(404),
    );
  });

  test('The carrier account of one company cannot deliver faxes to a number of another', async () => {
    await postAsCarrier(node, inboundFax({ to: DEMO_TWO.number }), DEMO_ONE, { about: 'fax' });
    await received({ subject: 'later' });
    expect((await people.stranger('GET', '/fax/messages')).body).toEqual([]);
  });
});

describe('POST /fax/messages', () => {
  const reaches = (id: string, status: string) =>
    until(
      async () => (await people.owner('GET', `/fax/messages?status=${status}&per_page=1000`)).body as { id: string }[],
      (all) => all.some((each) => each.id === id),
    );

  test('A sent fax is queued, handed to the carrier by a worker, and delivered', async () => {
    const file = await uploaded(people.owner);
    const draft = { to: '(555) 010-6666', to_name: 'Bo', subject: 'Letter', pages: 3, file: { id: file } };
    const { status, body } = await people.member('POST', '/fax/messages', draft);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      to: '+15550106666',
      from: DEMO_ONE.number,
      pages: 3,
      is_read: true,
      file: { id: file },
    });
    await reaches(body.id, 'delivered');
    expect((await people.owner('GET', `/fax/messages/${body.id}`)).body).toEqual(body);
  });

  test('A fax that cannot be sent is refused', async () => {
    const file = await uploaded(people.owner);
    const { body: empty } = await people.owner('POST', '/files', { name: 'empty.pdf' });
    const to = '+15550106666';
    expect(await people.owner('POST', '/fax/messages', { to })).toMatchObject(problem(400));
    expect(await people.owner('POST', '/fax/messages', { file })).toMatchObject(problem(400));
    expect(await people.owner('POST', '/fax/messages', { to: '12', file })).toMatchObject(problem(400));
    expect(await people.owner('POST', '/fax/messages', { to, file: 'nobodys' })).toMatchObject(problem(400));
    expect(await people.owner('POST', '/fax/messages', { to, file: empty.id })).toMatchObject(problem(400));
    const foreign = { to, file, from: DEMO_TWO.number };
    expect(await people.owner('POST', '/fax/messages', foreign)).toMatchObject(problem(400));
  });
});

describe('/fax/messages/{id}', () => {
  test('A fax can be marked as read and unread, and is filtered by is_read', async () => {
    const { id } = await received({ subject: 'to read' });
    const unread = async () =>
      (await people.owner('GET', '/fax/messages?is_read=false&per_page=1000')).body.map(
        (each: { id: string }) => each.id,
      );
    expect(await unread()).toContain(id);
    const marked = await people.owner('PATCH', `/fax/messages/${id}`, { is_read: true });
    expect(marked).toMatchObject({ status: 200, body: { id, is_read: true } });
    expect(await unread()).not.toContain(id);
    await people.owner('PATCH', `/fax/messages/${id}`, { is_read: false });
    expect(await unread()).toContain(id);
    expect(await people.owner('PATCH', `/fax/messages/${id}`, { is_read: 'maybe' })).toMatchObject(problem(400));
    expect(await people.owner('GET', '/fax/messages?is_read=maybe')).toMatchObject(problem(400));
  });

  test('A deleted fax is gone, and its file stays', async () => {
    const fax = await received({ subject: 'to delete' });
    expect(await people.owner('DELETE', `/fax/messages/${fax.id}`)).toMatchObject({ status: 200, body: fax });
    expect(await people.owner('GET', `/fax/messages/${fax.id}`)).toMatchObject(problem(404));
    expect((await people.owner('GET', `/files/${fax.file.id}`)).status).toBe(200);
    // The same request again does not bring it back.
    expect(await people.owner('DELETE', `/fax/messages/${fax.id}`)).toMatchObject(problem(404));
  });
});

describe('/fax/destinations', () => {
  test('Fax destinations are created, listed, changed and removed', async () => {
    const emails = ['a@example.com', 'b@example.com'];
    const { status, body } = await people.owner('POST', '/fax/destinations', { emails });
    expect(status).toBe(201);
    const company = (await people.owner('GET', '/system/company')).body.id;
    expect(body).toEqual({ id: expect.any(String), company, emails, reprname: 'a@example.com, b@example.com' });
    expect((await people.owner('GET', '/fax/destinations')).body).toEqual([body]);
    const path = `/fax/destinations/${body.id}`;
    const changed = await people.owner('PATCH', path, { emails: ['c@example.com'] });
    expect(changed).toMatchObject({ status: 200, body: { emails: ['c@example.com'], reprname: 'c@example.com' } });
    expect((await people.owner('GET', path)).body).toEqual(changed.body);
    for (const bad of [[], ['no address'], 'a@example.com']) {
      expect(await people.owner('POST', '/fax/destinations', { emails: bad })).toMatchObject(problem(400));
    }
    expect((await people.owner('DELETE', path)).status).toBe(200);
    expect(await people.owner('GET', path)).toMatchObject(problem(404));
  });
});

test('A company can neither see nor change faxes and destinations of another company', async () => {
  const fax = await received({ subject: 'ours alone' });
  const { body: place } = await people.owner('POST', '/fax/destinations', { emails: ['a@example.com'] });
  const file = await uploaded(people.owner);
  for (const [method, path, body] of [
    ['GET', `/fax/messages/${fax.id}`],
    ['PATCH', `/fax/messages/${fax.id}`, { is_read: true }],
    ['DELETE', `/fax/messages/${fax.id}`],
    ['GET', `/fax/destinations/${place.id}`],
    ['PATCH', `/fax/destinations/${place.id}`, { emails: ['x@example.com'] }],
    ['DELETE', `/fax/destinations/${place.id}`],
  ] as const) {
    expect(await people.stranger(method, path, body)).toMatchObject(problem(404));
  }
  expect(await people.stranger('POST', '/fax/messages', { to: '+15550106666', file })).toMatchObject(problem(400));
  expect((await people.stranger('GET', '/fax/messages')).body).toEqual([]);
  expect((await people.stranger('GET', '/fax/destinations')).body).toEqual([]);
  expect((await people.owner('GET', `/fax/messages/${fax.id}`)).body).toEqual(fax);
  expect((await people.owner('GET', `/fax/destinations/${place.id}`)).body).toEqual(place);
  for (const path of ['/fax/messages', '/fax/destinations', `/fax/messages/${fax.id}`]) {
    expect(await node.call(path)).toMatchObject(problem(401));
  }
});
