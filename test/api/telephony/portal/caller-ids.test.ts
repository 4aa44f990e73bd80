import type { Answer } from '../../../support/http/client';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { until } from '../../../support/until';
import { INSTANCE_ONE, problem } from '../people';

const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const OWN = '+1 (555) 010-0001';
const TEXTING = '+15550100777';
const WORDS = 'is not a number of the company, and only the primary user may set another';

let stack: TelephonyStack;
let member: TestPage;
let owner: TestPage;

beforeAll(async () => {
  stack = await openTelephony();
  const { people, node } = stack;
  const enter = async (id: string) => pageOf(await node.call('/portal/api/session', { json: { demo: id } }));
  [member, owner] = [await enter(people.ids.member), await enter(people.ids.owner)];
  await people.owner('PATCH', '/company', { phone: OWN });
  const { mysql } = node.kernel;
  const { company_id: companyId } = await mysql('tel_contacts').where({ id: people.ids.owner }).first('company_id');
  const [account] = await mysql('tel_carrier_accounts').where({ company_id: companyId });
  await mysql('tel_text_numbers').insert({
    e164: TEXTING,
    company_id: companyId,
    carrier_account_id: account.id,
    label: 'Texts',
    created_at: mysql.fn.now(3),
  });
});
afterAll(() => stack.close());

let next = 7000;
const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
const as = (page: TestPage, method: string, path: string, json?: object): Promise<Answer> =>
  page.call(stack.node, path, { method, ...(json ? { json } : {}) });
const post = (page: TestPage, more: object) => as(page, 'POST', LIST, draft(more));

test.each(['Max "Maxi" M', 'A <B>'])('A member at the portal may name an extension %s', async (name) => {
  const made = await post(member, { name });
  expect(made).toMatchObject({ status: 201, body: { data: { name } } });
  const renamed = await as(member, 'PATCH', `${LIST}/${made.body._id}`, { data: { name: `${name} II` } });
  expect(renamed.status).toBe(200);
});

test.each([
  ['outboundcid', '"Police" <911>'],
  ['outboundcid', '15550199999'],
  ['outboundcid', '"Desk <15550100001>" <15550199999>'],
  ['emergency_cid', '+15550199999'],
  ['callerid', 'Boss <15550199999>'],
])('A member at the portal cannot give an extension the %s %s', async (field, value) => {
  const refused = await post(member, { [field]: value });
  expect(refused).toMatchObject(problem(400));
  expect(refused.body.detail).toBe(`data.${field}: ${WORDS}`);
});

test('A member at the portal may use every number of the company, however it is written', async () => {
  for (const number of [OWN, '15550100001', '5550100001', TEXTING]) {
    const made = await post(member, { outboundcid: `"Desk" <${number}>`, emergency_cid: number });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ outboundcid: `"Desk" <${number}>`, emergency_cid: number });
  }
});

test('A number used as an extension does not count as a caller id of the company', async () => {
  const asExtension = { data: { id: 15550199998, name: 'Mine', callerid: 'Mine <15550199998>' } };
  expect((await as(member, 'POST', LIST, asExtension)).status).toBe(201);
  const claimed = { data: { id: 15550199997, name: 'Mine', outboundcid: '15550199997' } };
  expect(await as(member, 'POST', LIST, claimed)).toMatchObject(problem(400));
});

test('Caller ids that are absent, empty or unchanged pass, and others of the same extension do not', async () => {
  const foreign = { outboundcid: '"Head office" <15550199999>', emergency_cid: '15550199999', callerid: 'Boss <1>' };
  const made = (await post(owner, foreign)).body;
  const path = `${LIST}/${made._id}`;
  const patch = (json: object) => as(member, 'PATCH', path, json);
  expect((await patch({ data: { description: 'Hall' } })).status).toBe(200);
  expect((await patch({ data: { ...foreign, name: 'Hall' } })).status).toBe(200);
  expect(await patch({ data: { outboundcid: '"Head office" <15550199998>' } })).toMatchObject(problem(400));
  expect(await patch({ outbound_callerid: { number: '15550199998' } })).toMatchObject(problem(400));
  expect((await patch({ data: { outboundcid: '' } })).body.data.outboundcid).toBe('');
  // It was removed before, so it is new.
  expect(await patch({ data: { outboundcid: foreign.outboundcid } })).toMatchObject(problem(400));
  const put = { data: { emergency_cid: '15550199998' } };
  expect(await as(member, 'PUT', path, put)).toMatchObject(problem(400));
  expect((await as(member, 'PUT', path, { data: { name: 'Plain' } })).status).toBe(200);
});

test("A CSV row of a member with another user's caller id fails, in the dry run and in the order", async () => {
  const first = next + 1;
  next += 2;
  const csv = `extension,name,outboundcid\r\n${first},Good,${TEXTING}\r\n${first + 1},Bad,15550199999\r\n`;
  const send = (page: TestPage, query: string) =>
    page.call(stack.node, `${LIST}/import${query}`, {
      method: 'POST',
      raw: csv,
      headers: { 'Content-Type': 'text/csv' },
    });
  const expected = [
    { number: first, status: 'ok' },
    { number: first + 1, status: 'failed', detail: `data.outboundcid: ${WORDS}` },
  ];
  expect((await send(member, '?dry_run=true')).body.rows).toMatchObject(expected);
  const finished = async (page: TestPage) => {
    const { body } = await send(page, '');
    const done = await until(
      () => as(page, 'GET', `/bulks/${body.id}`),
      (answer) => answer.body.state === 'finished',
    );
    return done.body.rows;
  };
  expect(await finished(member)).toMatchObject(expected);
  expect(await finished(owner)).toMatchObject([{ status: 'ok' }, { number: first + 1, status: 'ok' }]);
});

test('The owner at the portal, and a key that acts as a member, may set any caller id', async () => {
  expect((await post(owner, { outboundcid: '15550199999' })).status).toBe(201);
  expect((await stack.people.member('POST', LIST, draft({ outboundcid: '15550199999' }))).status).toBe(201);
});

test('The list of available caller ids includes the texting numbers', async () => {
  const { body } = await as(member, 'GET', `/instances/${INSTANCE_ONE}/dids/callerids`);
  expect(body).toContainEqual({ name: 'Texts', number: TEXTING, value: `"Texts" <${TEXTING}>` });
});
