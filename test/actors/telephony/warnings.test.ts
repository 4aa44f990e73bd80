import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE, problem } from '../../api/telephony/people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony({ PBX_SWEEP_MS: '200', BREAKER_FAILURES: '1000' }, 'freepbx');
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
let next = 6000;
const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
const lost = (name: string) => `data.${name}: is kept here, but this kind of PBX (freepbx) does not take it`;
const DND = 'data.dnd: there is no such field, so it is not kept';

test('The answer to an order warns of the fields that it sent, and a later one does not repeat them', async () => {
  const sent = { callerid: 'Boss <1>', password: 'x', accountcode: '7', dnd: 'yes', ringtimer: '25' };
  const made = await stack.people.owner('POST', PATH, draft(sent));
  expect(made.status).toBe(201);
  expect(made.body.warnings).toEqual([lost('accountcode'), lost('callerid'), lost('password'), DND]);
  const path = `${PATH}/${made.body._id}`;
  const shown = (await stack.people.owner('GET', path)).body;
  expect(shown.warnings).toEqual([lost('accountcode'), lost('password')]);
  expect(shown.data).not.toHaveProperty('dnd');
  const named = await stack.people.owner('PATCH', path, { data: { name: 'Renamed' } });
  expect(named.body.warnings).toEqual([]);
  const again = await stack.people.owner('PATCH', path, { data: { voicemail_options: 'review=yes', dnd: 'no' } });
  expect(again.body.warnings).toEqual([
    'data.voicemail_options: this kind of PBX (freepbx) takes only attach, saycid, envelope and delete',
    DND,
  ]);
});

test('An asynchronous order and a repeated one have the same warnings', async () => {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': 'warned' };
  const body = draft({ dnd: 'yes' });
  const placed = await stack.people.owner('POST', PATH, body, { headers });
  expect(placed.status).toBe(202);
  const done = await until(
    () => stack.people.owner('GET', placed.headers.get('location') ?? ''),
    (answer) => answer.body.is_finished === true,
  );
  expect(done.body.result.warnings).toEqual([DND]);
  const again = await stack.people.owner('POST', PATH, body, { headers: { 'Idempotency-Key': 'warned' } });
  expect(again.body.warnings).toEqual([DND]);
});

test('Rows of a bulk order and of its dry run have warnings', async () => {
  const rows = [draft({ accountcode: '7', dnd: 'yes' }), draft(), draft({ tech: 'pigeon' })];
  const warnings = [[lost('accountcode'), DND], [], []];
  const tried = await stack.people.owner('POST', `${PATH}/import?dry_run=true`, rows);
  expect(tried.body.rows.map((row: { warnings: string[] }) => row.warnings)).toEqual(warnings);
  const placed = await stack.people.owner('POST', `${PATH}/import`, rows);
  const done = await until(
    () => stack.people.owner('GET', `/bulks/${placed.body.id}`),
    ({ body: { state } }) => state === 'finished',
  );
  expect(done.body.rows.map((row: { warnings: string[] }) => row.warnings)).toEqual(warnings);
});

test('A name that FreePBX cannot take gets 400 that names the field, in orders and in rows, unless it is stored', async () => {
  for (const name of ['x'.repeat(51), 'Ann; Ltd']) {
    const refused = await stack.people.owner('POST', PATH, draft({ name }));
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toMatch(/^data\.name: this kind of PBX \(freepbx\) takes /);
    const tried = await stack.people.owner('POST', `${PATH}/import?dry_run=true`, [draft({ name })]);
    expect(tried.body.rows).toMatchObject([{ status: 'failed', detail: refused.body.detail }]);
  }
  const made = (await stack.people.owner('POST', PATH, draft({ name: 'x'.repeat(50) }))).body;
  const patch = (data: object) => stack.people.owner('PATCH', `${PATH}/${made._id}`, { data });
  expect(await patch({ name: 'Ann; Ltd' })).toMatchObject(problem(400));
  const { mysql } = stack.worker;
  const { data } = await mysql('tel_extensions').where({ id: made._id }).first('data');
  const former = JSON.stringify({ ...JSON.parse(data), name: 'Ann; Ltd' });
  await mysql('tel_extensions').where({ id: made._id }).update({ data: former });
  expect((await patch({ name: 'Ann; Ltd', ringtimer: '20' })).status).toBe(200);
});

test('The state of phones is unknown, because FreePBX does not show registrations', async () => {
  const made = (await stack.people.owner('POST', PATH, draft())).body;
  expect(made.subscriber.state).toBe('UNKNOWN');
  expect((await stack.people.owner('GET', `${PATH}/${made._id}`)).body.subscriber.state).toBe('UNKNOWN');
  const [listed] = (await stack.people.owner('GET', PATH)).body;
  expect(listed.subscriber.state).toBe('UNKNOWN');
});
