import { pageOf, type TestPage } from '../../../support/http/pages';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { problem } from '../people';

let stack: TelephonyStack;
let owner: TestPage;
let member: TestPage;
let stranger: TestPage;
let conversation: string;

beforeAll(async () => {
  stack = await openTelephony();
  const { people, node } = stack;
  const enter = async (id: string) => pageOf(await node.call('/portal/api/session', { json: { demo: id } }));
  owner = await enter(people.ids.owner);
  member = await enter(people.ids.member);
  stranger = await enter(people.ids.stranger);
  const { body } = await people.owner('POST', '/texting/conversations', { recipients: ['+15550107777'] });
  conversation = body.id;
});
afterAll(() => stack.close());

const path = (id = conversation) => `/portal/api/text-drafts/${id}`;
const read = async (page: TestPage) => (await page.call(stack.node, path())).body;
const write = (page: TestPage, text: string, id = conversation) =>
  page.call(stack.node, path(id), { method: 'PUT', json: { text } });

test('What was begun is kept for its writer alone, replaced, and given up', async () => {
  expect(await read(owner)).toEqual({ text: '' });
  expect((await write(owner, 'Dear')).status).toBe(200);
  expect((await write(owner, 'Dear 🎉\ncustomer')).status).toBe(200);
  expect(await read(owner)).toEqual({ text: 'Dear 🎉\ncustomer' });
  expect(await read(member)).toEqual({ text: '' });
  expect((await write(owner, '')).status).toBe(200);
  expect(await read(owner)).toEqual({ text: '' });
});

test('Other companies, unknown conversations and long texts are refused', async () => {
  expect(await stranger.call(stack.node, path())).toMatchObject(problem(404));
  expect(await write(stranger, 'x')).toMatchObject(problem(404));
  expect(await write(owner, 'x', 'f'.repeat(24))).toMatchObject(problem(404));
  expect(await write(owner, 'x'.repeat(5001))).toMatchObject(problem(400));
  expect((await write(owner, 'x'.repeat(5000))).status).toBe(200);
});

test('A person who is deleted takes drafts along', async () => {
  const { people, node } = stack;
  const { body } = await people.owner('POST', '/texting/conversations', { recipients: ['+15550107778'] });
  expect((await write(member, 'half', body.id)).status).toBe(200);
  expect((await people.owner('DELETE', `/company/contacts/${people.ids.member}`)).status).toBe(200);
  expect(await node.kernel.mysql('tel_text_drafts').where({ contact_id: people.ids.member })).toEqual([]);
});
