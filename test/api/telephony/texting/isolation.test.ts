import { textingRoutes } from '../../../../src/telephony/http/mounts';
import { OURS, openTexting, STRANGERS, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
let ids: Readonly<Record<string, string>>;
let known: string;

beforeAll(async () => {
  texting = await openTexting();
  const { people } = texting;
  known = texting.someone();
  const conversation = await texting.begin(known);
  const message = (await texting.send(conversation, 'our secret')).body.id;
  const contact = (await people.owner('GET', `/texting/contacts?number=${known}`)).body[0].id;
  await people.owner('PATCH', `/texting/contacts/${contact}`, { first_name: 'Secret' });
  const optOut = (await people.owner('POST', '/texting/optouts', { from_number: OURS, number: known })).body.id;
  ids = { conversation_id: conversation, message_id: message, texting_contact_id: contact, optout_id: optOut };
});
afterAll(() => texting.close());

/** A body that every route would accept. */
const bodyFor = (path: string): object => ({
  pin: true,
  text: 'hello',
  messagesIds: [ids['message_id']],
  ids: [ids['message_id']],
  ...(path.startsWith('/texting/contacts') ? { number: texting.someone(), first_name: 'Mine' } : {}),
});

const pathOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
const routes = textingRoutes.map(({ method, path }) => [method.toUpperCase(), path] as const);
const ofOne = routes.filter(([, path]) => path.includes(':'));
const ofAll = routes.filter(([, path]) => !path.includes(':'));

/** All data of the first company, to check that nothing changes. */
async function everything(): Promise<object> {
  const { mysql } = texting.kernel;
  const company_id = texting.ids.one;
  const tables = ['tel_conversations', 'tel_texts', 'tel_texting_contacts', 'tel_opt_outs', 'tel_text_numbers'];
  const own = await Promise.all(
    tables.map((table) =>
      mysql(table)
        .where({ company_id })
        .orderBy(1 as never),
    ),
  );
  const shared = ['tel_text_sends', 'tel_conversation_views', 'tel_text_reads', 'tel_conversation_members'];
  const counts = await Promise.all(shared.map((table) => mysql(table).count({ rows: '*' })));
  return { own, counts };
}

test.each(ofOne)(
  'The request %s %s for an object of another company gets 404 and changes nothing',
  async (method, path) => {
    const before = await everything();
    const published = await texting.publishedBy(texting.ids.one, async () => {
      const answer = await texting.people.stranger(method, pathOf(path), method === 'GET' ? undefined : bodyFor(path));
      expect(answer).toMatchObject(problem(404));
      expect(answer.text).not.toContain('ecret');
      expect(answer.text).not.toContain(known);
    });
    expect(published).toEqual([]);
    expect(await everything()).toEqual(before);
  },
);

test.each(ofAll.filter(([method]) => method === 'GET'))(
  'The request %s %s shows nothing of another company',
  async (_, path) => {
    const mine = await texting.people.owner('GET', path);
    const theirs = await texting.people.stranger('GET', path);
    expect(mine.body.length).toBeGreaterThan(0);
    expect(theirs.status).toBe(200);
    expect(theirs.text).not.toContain(known);
    expect(theirs.text).not.toContain(texting.ids.one);
    expect(theirs.text).not.toContain(OURS);
  },
);

test("A company's conversations, names and opt-outs of a person are separate from those of another company", async () => {
  const { stranger, owner } = texting.people;
  const before = await everything();
  const draft = { recipients: [known], from_number: STRANGERS };
  const begun = await stranger('POST', '/texting/conversations', draft);
  expect(begun.status).toBe(201);
  expect(begun.body.contactinfo).toMatchObject({ number: known, first_name: '', company_id: texting.ids.two });
  expect(begun.body.id).not.toBe(ids['conversation_id']);
  const named = await stranger('POST', '/texting/contacts', { number: known, first_name: 'Theirs' });
  expect(named.status).toBe(201);
  const published = await texting.publishedBy(texting.ids.one, async () => {
    const path = `/texting/conversations/${begun.body.id}/messages`;
    expect((await stranger('POST', path, { text: 'they did not opt out of us' })).status).toBe(201);
  });
  expect(published).toEqual([]);
  const pair = { from_number: OURS, number: known };
  for (const method of ['POST', 'DELETE']) {
    expect((await stranger(method, '/texting/optouts', pair)).status).toBe(method === 'POST' ? 400 : 404);
  }
  const { own } = (await everything()) as { own: object };
  expect(own).toEqual((before as { own: object }).own);
  expect((await owner('GET', `/texting/contacts?number=${known}`)).body).toMatchObject([{ first_name: 'Secret' }]);
});

test.each(routes)('The request %s %s needs a key and a contact', async (method, path) => {
  const call = (headers: Record<string, string>) => texting.node.call(pathOf(path), { method, headers });
  expect(await call({})).toMatchObject(problem(401));
  expect(await call({ Authorization: 'Bearer demo-key-one' })).toMatchObject(problem(401));
  expect(await call({ Authorization: 'Bearer wrong', 'X-User-Id': 'primary' })).toMatchObject(problem(401));
});

test('Every texting route counts towards its caller’s rate limit', async () => {
  expect(textingRoutes.filter(({ limited, authenticated }) => !limited || !authenticated)).toEqual([]);
});

test('The OpenAPI document names every texting route with its parameters', async () => {
  const { body } = await texting.node.call('/openapi.json');
  for (const [method, path] of routes) {
    const operation = body.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(operation).toMatchObject({ summary: expect.any(String), security: [{ companyKey: [] }] });
    // A path with an id may answer that nothing is there.
    if (path.includes(':')) expect(Object.keys(operation.responses)).toContain('404');
  }
  const create = body.paths['/texting/conversations'].post.requestBody.content['application/json'].schema;
  expect(create.required).toEqual(['recipients']);
  expect(create.properties.conversation_type.enum).toEqual(['direct', 'group', 'campaign']);
});
