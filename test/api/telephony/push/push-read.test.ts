import type { TestPage } from '../../../support/http/pages';
import type { OwnDevice } from '../../../support/pushing';
import { openPortalPushes, type PortalPushes } from '../../../support/telephony/pushing';
import { DEMO_ONE, postAsCarrier } from '../texting/carrier-requests';
import { problem } from '../people';
import type { PushedPayload } from '../../../support/servers/push-service';
import { until } from '../../../support/until';

let stage: PortalPushes;
let member: TestPage;
let stranger: TestPage;
let device: OwnDevice;

beforeAll(async () => {
  stage = await openPortalPushes();
  const { ids } = stage.people;
  [member, stranger] = [await stage.enter(ids.member), await stage.enter(ids.stranger)];
  device = await stage.subscribe(member);
});
afterAll(() => stage.close());

const read = (page: TestPage, tag: string, ids: readonly number[]) =>
  page.call(stage.node, '/portal/api/push-read', { json: { tag, ids } });
const unreadIn = async (tag: string, who: 'member' | 'owner' = 'member') =>
  (await stage.people[who]('GET', `/texting/conversations/${tag.slice(2)}`)).body.unread_msg_count as number;

/** Not by its place: what was read is withdrawn by a push too. */
const pushed = async (isIt: (payload: PushedPayload) => boolean) =>
  (await until(() => device.pushes.find(({ payload }) => isIt(payload))))!.payload;

test('What a notification of texts is about is marked as read, for its reader, and nothing that came since', async () => {
  const from = stage.someone();
  await stage.receive({ from, text: 'one' });
  await pushed(({ title, body }) => title === from && body === 'one');
  await stage.receive({ from, text: 'two' });
  const payload = await pushed(({ title, body }) => title === from && body === 'two');
  expect(payload).toMatchObject({ ids: [1, 2], read: 'Mark as read' });
  await stage.receive({ from, text: 'three' });
  const { tag } = payload;
  expect(await read(member, tag!, payload.ids!)).toMatchObject({ status: 200, body: { done: true } });
  expect(await unreadIn(tag!)).toBe(1);
  expect(await unreadIn(tag!, 'owner')).toBe(3);
  // Again, as after an answer that was lost.
  expect(await read(member, tag!, payload.ids!)).toMatchObject({ status: 200 });
  expect(await unreadIn(tag!)).toBe(1);
});

test('A fax is marked as read for everybody', async () => {
  const content = { name: 'a.pdf', content_type: 'application/pdf', base64: 'JVBERi0xLjQ=' };
  const fax = { from: '+15550107777', from_name: 'Dr. Who', to: DEMO_ONE.number, to_name: '', pages: 1, subject: '' };
  const more = { id: 'read-from-its-push', content, received_at: new Date().toISOString() };
  await postAsCarrier(stage.node, { ...fax, ...more }, DEMO_ONE, { about: 'fax' });
  const payload = await pushed(({ title }) => title === 'Fax from Dr. Who');
  expect(payload).toMatchObject({ read: 'Mark as read' });
  expect(await read(member, payload.tag!, payload.ids!)).toMatchObject({ status: 200 });
  expect((await stage.people.owner('GET', `/fax/messages/${payload.tag!.slice(2)}`)).body.is_read).toBe(true);
});

test("Another company's, what is gone and nonsense are refused", async () => {
  const from = stage.someone();
  await stage.receive({ from, text: 'ours' });
  const { tag, ids } = await pushed(({ title }) => title === from);
  expect(await read(stranger, tag!, ids!)).toMatchObject(problem(404));
  expect(await read(member, tag!, [99])).toMatchObject(problem(404));
  expect(await read(member, `f:${'0'.repeat(24)}`, [1])).toMatchObject(problem(404));
  for (const wrong of ['c:1', 'x', `r:${tag!.slice(2)}`])
    expect(await read(member, wrong, [1])).toMatchObject(problem(400));
  expect(await read(member, tag!, [0])).toMatchObject(problem(400));
  expect(
    await read(
      member,
      tag!,
      Array.from({ length: 51 }, (_, at) => at + 1),
    ),
  ).toMatchObject(problem(400));
  expect(await read(member, tag!, [])).toMatchObject({ status: 200 });
  expect(await unreadIn(tag!)).toBe(1);
});
