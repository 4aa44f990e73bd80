import { pageOf, type TestPage } from '../../../support/http/pages';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { problem } from '../people';

let stack: TelephonyStack;
let owner: TestPage;
let member: TestPage;
let stranger: TestPage;

beforeAll(async () => {
  stack = await openTelephony();
  const { people, node } = stack;
  const enter = async (id: string) => pageOf(await node.call('/portal/api/session', { json: { demo: id } }));
  owner = await enter(people.ids.owner);
  member = await enter(people.ids.member);
  stranger = await enter(people.ids.stranger);
});
afterAll(() => stack.close());

const begin = async (number: string): Promise<string> =>
  (await stack.people.owner('POST', '/texting/conversations', { recipients: [number] })).body.id;
const call = (page: TestPage, method: string, path: string, json?: object) =>
  page.call(stack.node, `/portal/api/conversation-notes/${path}`, { method, ...(json && { json }) });
const notesOf = async (page: TestPage, id: string) =>
  ((await call(page, 'GET', id)).body as { text: string }[]).map(({ text }) => text);

test('Notes are seen by the whole company and by nobody else, and deleted by their author or the owner', async () => {
  const id = await begin('+15550107771');
  const first = await call(owner, 'POST', id, { text: ' Has paid.\nTwice! ' });
  expect(first).toMatchObject({ status: 201, body: { text: 'Has paid.\nTwice!', user_id: stack.people.ids.owner } });
  const second = await call(member, 'POST', id, { text: 'Will call back' });
  expect(await notesOf(member, id)).toEqual(['Has paid.\nTwice!', 'Will call back']);

  expect(await call(stranger, 'GET', id)).toMatchObject(problem(404));
  expect(await call(stranger, 'POST', id, { text: 'x' })).toMatchObject(problem(404));
  expect(await call(stranger, 'DELETE', `${id}/${first.body.id}`)).toMatchObject(problem(404));
  expect(await call(member, 'DELETE', `${id}/${first.body.id}`)).toMatchObject(problem(403));
  const other = await begin('+15550107772');
  expect(await call(owner, 'DELETE', `${other}/${first.body.id}`)).toMatchObject(problem(404));

  expect((await call(owner, 'DELETE', `${id}/${second.body.id}`)).status).toBe(200);
  expect(await call(owner, 'DELETE', `${id}/${second.body.id}`)).toMatchObject(problem(404));
  expect(await notesOf(owner, id)).toEqual(['Has paid.\nTwice!']);
  // The other side never learns of them.
  expect(await stack.node.kernel.mysql('tel_text_sends').where({ conversation_id: id })).toEqual([]);
});

test('Empty and long notes are refused, and so are more than a hundred', async () => {
  const id = await begin('+15550107773');
  for (const text of ['', ' \n ', 'x'.repeat(2001)]) {
    expect(await call(owner, 'POST', id, { text })).toMatchObject(problem(400));
  }
  await stack.node.kernel.mysql('tel_conversation_notes').insert(
    Array.from({ length: 99 }, (_, at) => ({
      id: `d${String(at).padStart(23, '0')}`,
      conversation_id: id,
      author_id: stack.people.ids.owner,
      text: 'x',
      created_at: new Date(),
    })),
  );
  expect((await call(owner, 'POST', id, { text: 'the last' })).status).toBe(201);
  expect((await call(owner, 'POST', id, { text: 'one more' })).status).toBe(400);
});

test('Notes end with their conversation, and stay when their author is deleted', async () => {
  const { people, node } = stack;
  const [gone, left] = [await begin('+15550107774'), await begin('+15550107775')];
  for (const id of [gone, left]) await call(member, 'POST', id, { text: 'noted' });
  expect((await people.owner('DELETE', `/texting/conversations/${gone}`)).status).toBe(200);
  expect(await call(owner, 'GET', gone)).toMatchObject(problem(404));
  expect(await node.kernel.mysql('tel_conversation_notes').where({ conversation_id: gone })).toEqual([]);
  expect((await people.owner('DELETE', `/company/contacts/${people.ids.member}`)).status).toBe(200);
  expect((await call(owner, 'GET', left)).body).toMatchObject([{ text: 'noted', user_id: null }]);
});
