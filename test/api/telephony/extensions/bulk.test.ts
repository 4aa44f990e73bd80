import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { until } from '../../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO, problem, type Person } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterAll(() => stack.close());

const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const PATH = `${LIST}/import`;

async function finished(by: Person, body: unknown, query = '') {
  const placed =
    typeof body === 'string'
      ? await by('POST', PATH + query, undefined, { raw: body, headers: { 'Content-Type': 'text/csv' } })
      : await by('POST', PATH + query, body);
  expect(placed.status).toBe(202);
  expect(placed.headers.get('location')).toBe(`/bulks/${placed.body.id}`);
  const done = await until(
    () => by('GET', `/bulks/${placed.body.id}`),
    ({ body: { state } }) => state === 'finished',
  );
  return done.body;
}

describe('Bulk orders', () => {
  test('A dry run of a bulk order reports the outcome of each row and changes nothing', async () => {
    const { owner } = stack.people;
    await owner('POST', LIST, { data: { id: 500, name: 'There' } });
    const rows = [
      { data: { id: 501, name: 'New' } },
      { data: { id: 500, name: 'Renamed' } },
      { data: { id: 502 } },
      { data: { id: 501, name: 'Again' } },
      { data: { id: 503, name: 'Bad', tech: 'pigeon' } },
      { data: { name: 'No number' } },
    ];
    const { status, body } = await owner('POST', `${PATH}?dry_run=true`, rows);
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: true, total: 6, failed: 4 });
    expect(body.rows).toMatchObject([
      { row: 1, number: 501, action: 'create', status: 'ok' },
      { row: 2, number: 500, action: 'update', status: 'ok' },
      { row: 3, number: 502, status: 'failed', detail: 'data.name: is required' },
      { row: 4, number: 501, status: 'failed', detail: expect.stringContaining('earlier row') },
      { row: 5, number: null, status: 'failed', detail: expect.stringContaining('tech') },
      { row: 6, number: null, status: 'failed', detail: expect.stringContaining('data.id') },
    ]);
    expect(await stack.pbx.numbers(INSTANCE_ONE)).toEqual([500]);
    expect((await owner('POST', `${PATH}?dry_run=1&mode=create`, rows)).body.rows[1]).toMatchObject({
      status: 'failed',
    });
  });

  test('A bulk order as a JSON array creates and updates extensions, with a result for each row', async () => {
    const { owner } = stack.people;
    const many = Array.from({ length: 25 }, (_, index) => ({ data: { id: 600 + index, name: `Row ${index}` } }));
    const order = await finished(owner, [...many, { data: { id: 500, name: 'Renamed' } }, { data: { id: 0 } }]);
    expect(order).toMatchObject({ total: 27, done: 27, failed: 1, mode: 'upsert', state: 'finished' });
    expect(order.rows[0]).toEqual({
      row: 1,
      number: 600,
      action: 'create',
      status: 'ok',
      detail: '',
      warnings: [],
      extension_id: expect.any(String),
    });
    expect(order.rows[25]).toMatchObject({ number: 500, action: 'update', status: 'ok' });
    const held = await stack.pbx.holds(INSTANCE_ONE);
    expect(held.map(({ number }) => number)).toEqual([500, ...many.map(({ data }) => data.id)]);
    expect(held[0]).toMatchObject({ name: 'Renamed' });
  });

  test('The first of two bulk rows with one number counts, however far apart they are', async () => {
    const rows = Array.from({ length: 24 }, (_, index) => ({ data: { id: 900 + (index % 12), name: `Row ${index}` } }));
    const order = await finished(stack.people.owner, rows);
    expect(order).toMatchObject({ done: 24, failed: 12 });
    expect(order.rows.slice(12)).toEqual(
      rows.slice(12).map(({ data: { id } }, index) =>
        expect.objectContaining({
          row: index + 13,
          number: id,
          status: 'failed',
          detail: expect.stringContaining('earlier'),
        }),
      ),
    );
    const names = (await stack.pbx.holds(INSTANCE_ONE)).filter(({ number }) => number >= 900).map(({ name }) => name);
    expect(names).toEqual(rows.slice(0, 12).map(({ data }) => data.name));
  });

  test('A bulk order takes CSV as spreadsheets write it', async () => {
    const csv =
      'extension,name,voicemail_email,purpose,secret\r\n700,"Müller, Max",member@example.com,softphone,\r\n701,Zoe,,,given-secret-1\r\n';
    const order = await finished(stack.people.owner, csv, '?mode=create');
    expect(order).toMatchObject({ failed: 0, total: 2 });
    const { body } = await stack.people.owner('GET', `${LIST}?search=müller`);
    expect(body).toMatchObject([
      { data: { id: 700, name: 'Müller, Max' }, purpose: 'mobile-app', user: { id: stack.people.ids.member } },
    ]);
    const again = await finished(stack.people.owner, csv, '?mode=create');
    expect(again).toMatchObject({ failed: 2 });
    const rows = JSON.stringify(await stack.worker.mysql('tel_bulk_orders'));
    expect(rows).not.toContain('given-secret-1');
  });

  test('A member cannot change another user’s extension by a bulk order, nor read another user’s order', async () => {
    const { owner, member, stranger, ids } = stack.people;
    await owner('POST', LIST, { data: { id: 800, name: 'Mine' }, user: { id: ids.owner } });
    const order = await finished(member, [{ data: { id: 800, name: 'Taken over' } }]);
    expect(order.rows).toMatchObject([{ status: 'failed', detail: expect.stringContaining('primary user') }]);
    expect(await stranger('GET', `/bulks/${order.id}`)).toMatchObject(problem(404));
    const owners = await finished(owner, [{ data: { id: 801, name: 'x' } }]);
    expect(await member('GET', `/bulks/${owners.id}`)).toMatchObject(problem(404));
  });

  test('A bulk order gets 400 if it is no list, and 404 for another company’s instance', async () => {
    const { owner } = stack.people;
    for (const body of [{}, [], [1], undefined]) expect(await owner('POST', PATH, body)).toMatchObject(problem(400));
    expect(await owner('POST', `${PATH}?mode=delete`, [{ data: {} }])).toMatchObject(problem(400));
    const csv = { raw: 'a,b\n1,2', headers: { 'Content-Type': 'text/csv' } };
    expect((await owner('POST', PATH, undefined, csv)).body.detail).toContain('no column');
    const large = { raw: 'x'.repeat(300_000), headers: { 'Content-Type': 'text/csv' } };
    expect(await owner('POST', PATH, undefined, large)).toMatchObject(problem(413));
    expect(await owner('POST', PATH.replace(INSTANCE_ONE, INSTANCE_TWO), [{ data: {} }])).toMatchObject(problem(404));
  });

  test('Rows name persons by address and places by name, and say which of them is unknown or not alone', async () => {
    const { owner, ids } = stack.people;
    await owner('POST', '/company/locations', { name: 'Annexe' });
    for (const name of ['Twin', 'Twin']) await owner('POST', '/company/locations', { name });
    const csv = [
      'extension,name,user_email,location',
      '540,Known,member@example.com,Annexe',
      '541,Nobody,owner@other.example,Annexe',
      '542,Nowhere,,Elsewhere',
      '543,Twin,,Twin',
    ].join('\n');
    const order = await finished(owner, csv);
    expect(order.rows.map(({ detail }: { detail: string }) => detail)).toEqual([
      '',
      'user.work_email: there is no such user in this company',
      'location.name: there is no such location in this company',
      'location.name: several locations have this name',
    ]);
    const { body } = await owner('GET', `${LIST}/${order.rows[0].extension_id}`);
    const places = await owner('GET', '/company/locations');
    const annexe = places.body.find(({ name }: { name: string }) => name === 'Annexe');
    expect(body).toMatchObject({ user: { id: ids.member }, location_id: annexe.id });
    const nested = { data: { id: 544, name: 'Nested' }, location: { name: 'Annexe' } };
    expect((await owner('POST', LIST, nested)).body).toMatchObject({ location_id: annexe.id });
  });
});
