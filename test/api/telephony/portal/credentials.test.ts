import { pageOf, type TestPage } from '../../../support/http/pages';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { INSTANCE_ONE, problem } from '../people';

const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;

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

const show = (page: TestPage, id: string, instance = INSTANCE_ONE) =>
  page.call(stack.node, `/portal/api/instances/${instance}/extensions/${id}/credentials`, { json: {} });

async function make(number: number, userId?: string): Promise<{ id: string; secret: string }> {
  const user = userId === undefined ? {} : { user: { id: userId } };
  const json = { data: { id: number, name: `Phone ${number}` }, ...user };
  const { status, body } = await owner.call(stack.node, LIST, { json });
  expect(status).toBe(201);
  return { id: body._id, secret: body.data.secret };
}

const looks = async (id: string) => {
  const { body } = await stack.people.owner('GET', '/company/audit', undefined, { query: { object_id: id } });
  return (body as { action: string; contact_id: string }[]).filter(({ action }) => action === 'extension.show');
};

test('The owner and the person of an extension see its credentials, and the trail says who looked', async () => {
  const { ids } = stack.people;
  const { id, secret } = await make(7101, ids.member);
  const answer = await show(owner, id);
  expect(answer).toMatchObject({ status: 200, body: { user_name: '7101', secret, server: expect.any(String) } });
  expect(answer.body.voicemail_pin).toMatch(/^\d{6}$/);
  expect((await show(member, id)).body).toEqual(answer.body);
  const found = await looks(id);
  expect(found.map(({ contact_id }) => contact_id).toSorted()).toEqual([ids.member, ids.owner].toSorted());
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('Others see none: a member that of nobody, another company, an extension that is gone', async () => {
  const { id } = await make(7102);
  expect(await show(member, id)).toMatchObject(problem(403));
  expect(await show(stranger, id)).toMatchObject(problem(404));
  expect(await show(owner, 'f'.repeat(24))).toMatchObject(problem(404));
  expect(await looks(id)).toEqual([]);
});
