import { forgetOldCalls } from '../../../../src/telephony/commands/calls/forget-calls';
import { telephonyIn } from '../../../support/kernel/parts';
import { callRecord, storeCalls } from '../../../support/telephony/calls/stored-calls';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../people';

let stack: TelephonyStack;
const PATH = `/instances/${INSTANCE_ONE}/calls`;
const owner = (path: string) => stack.people.owner('GET', path);
const member = (path: string) => stack.people.member('GET', path);
const ids = ({ body }: { readonly body: { readonly call_id: string }[] }) => body.map(({ call_id: id }) => id);

beforeAll(async () => void (stack = await openTelephony()));
afterAll(() => stack.close());
beforeEach(() => stack.worker.mysql('tel_calls').delete());

const OUTSIDE = '+15551234567';
const sample = () => [
  callRecord({ startedAt: new Date('2026-11-01T08:00:00Z') }),
  callRecord({
    startedAt: new Date('2026-11-02T08:00:00Z'),
    outcome: 'busy',
    talkSeconds: 0,
    answeredBy: '',
    cause: 17,
  }),
  callRecord({ startedAt: new Date('2026-11-03T08:00:00Z'), direction: 'inbound', from: OUTSIDE, fromName: '=1+1' }),
  callRecord({
    startedAt: new Date('2026-11-04T08:00:00Z'),
    from: '103',
    dialled: '104',
    to: '104',
    answeredBy: '104',
  }),
];

describe('GET /instances/{instance_uuid}/calls', () => {
  test('Calls are listed with every field, newest first', async () => {
    const [call] = sample();
    await storeCalls(stack.worker, INSTANCE_ONE, [call!]);
    expect(await owner(PATH)).toMatchObject({
      status: 200,
      body: [
        {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          call_id: call!.callId,
          linked_id: call!.callId,
          pbx: INSTANCE_ONE,
          direction: 'internal',
          from: '101',
          from_name: 'Ann',
          dialled: '102',
          to: '102',
          answered_by: '102',
          outcome: 'answered',
          started_at: '2026-11-01T08:00:00.000Z',
          ended_at: '2026-11-01T08:00:20.000Z',
          talk_seconds: 12,
          cause: 16,
          has_recording: false,
        },
      ],
    });
    const all = sample();
    await storeCalls(stack.worker, INSTANCE_ONE, all);
    expect(ids(await owner(`${PATH}?from=2026-11-02`))).toEqual([3, 2, 1].map((at) => all[at]!.callId));
  });

  test('A record that is stored again adds no call', async () => {
    const all = sample();
    expect(await storeCalls(stack.worker, INSTANCE_ONE, all)).toBe(4);
    expect(await storeCalls(stack.worker, INSTANCE_ONE, [...all, callRecord()])).toBe(1);
    expect((await owner(PATH)).body).toHaveLength(5);
  });

  test.each([
    ['number=104', [3]],
    ['number=101', [1, 0]],
    [`number=${encodeURIComponent(OUTSIDE)}`, [2]],
    [`number=${OUTSIDE}`, [2]],
    ['direction=inbound', [2]],
    ['answered=false', [1]],
    ['answered=true&number=102', [2, 0]],
    ['from=2026-11-02T08:00:00Z&to=2026-11-03T08:00:00Z', [1]],
    ['number=102&from=2026-11-02&direction=inbound', [2]],
    ['number=999', []],
  ])('The filter %s finds the calls %j', async (query, found) => {
    const all = sample();
    await storeCalls(stack.worker, INSTANCE_ONE, all);
    expect(ids(await owner(`${PATH}?${query}`))).toEqual(found.map((at) => all[at]!.callId));
  });

  test.each(['', '&number=101'])(
    'Pages follow each other without gaps, also among calls of one moment%s',
    async (filter) => {
      const startedAt = new Date('2026-11-05T08:00:00Z');
      await storeCalls(
        stack.worker,
        INSTANCE_ONE,
        Array.from({ length: 7 }, () => callRecord({ startedAt })),
      );
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const page = await owner(`${PATH}?limit=3${filter}${cursor}`);
        seen.push(...ids(page));
        const next = page.headers.get('x-next-cursor');
        if (next === null) break;
        cursor = `&cursor=${next}`;
      }
      expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
    },
  );

  test.each(['limit=0', 'limit=1001', 'cursor=x', 'from=yesterday', 'direction=up', 'answered=maybe'])(
    'The parameter %s gets 400',
    async (query) => {
      expect(await owner(`${PATH}?${query}`)).toMatchObject(problem(400));
    },
  );

  test('Others than the owner see the calls of their own extensions, as those were at the time', async () => {
    const all = sample();
    await storeCalls(stack.worker, INSTANCE_ONE, all, { '104': stack.people.ids.member });
    const { body } = await member(PATH);
    expect(ids({ body })).toEqual([all[3]!.callId]);
    expect((await member(`${PATH}/${body[0]._id}`)).status).toBe(200);
    expect(ids(await member(`${PATH}?number=103`))).toEqual([all[3]!.callId]);
    expect(ids(await member(`${PATH}?number=101`))).toEqual([]);
    const { body: seen } = await owner(`${PATH}?number=101`);
    expect(await member(`${PATH}/${seen[0]._id}`)).toMatchObject(problem(404));
    expect((await member(`${PATH}/export`)).text.trim().split('\r\n')).toHaveLength(2);
  });

  test('Another company sees nothing', async () => {
    await storeCalls(stack.worker, INSTANCE_ONE, sample());
    const { body } = await owner(PATH);
    for (const path of [
      PATH,
      `${PATH}/export`,
      `${PATH}/${body[0]._id}`,
      `/instances/${INSTANCE_TWO}/calls/${body[0]._id}`,
    ]) {
      expect(await stack.people.stranger('GET', path)).toMatchObject(problem(404));
    }
    expect((await stack.people.stranger('GET', `/instances/${INSTANCE_TWO}/calls`)).body).toEqual([]);
  });
});

test('The export has a line for each call and runs nothing in a spreadsheet', async () => {
  await storeCalls(stack.worker, INSTANCE_ONE, sample());
  const { status, headers, text } = await owner(`${PATH}/export?direction=inbound`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, line] = text.trim().split('\r\n');
  expect(head).toContain('started_at,ended_at,direction,from,from_name');
  expect(line).toContain(`2026-11-03T08:00:00.000Z,2026-11-03T08:00:20.000Z,inbound,${OUTSIDE},'=1+1,102`);
});

test('A call without a recording, and a PBX that keeps none, have nothing to hear', async () => {
  const recording = 'partyline/main/20261119/1794979400.1';
  await storeCalls(stack.worker, INSTANCE_ONE, [callRecord({ recording }), callRecord()]);
  for (const { _id: id } of (await owner(PATH)).body)
    expect(await owner(`${PATH}/${id}/recording`)).toMatchObject(problem(404));
});

describe('/calls/retention', () => {
  test('The owner says how long calls are kept, and older ones are deleted', async () => {
    const days = (ago: number) => new Date(Date.now() - ago * 86_400_000);
    const [old, recent] = [callRecord({ startedAt: days(40) }), callRecord({ startedAt: days(20) })];
    await storeCalls(stack.worker, INSTANCE_ONE, [old, recent]);
    await storeCalls(stack.worker, INSTANCE_TWO, [callRecord({ startedAt: days(4000) })]);
    const forget = () => forgetOldCalls(telephonyIn(stack.node));
    await forget();
    expect((await owner(PATH)).body).toHaveLength(2);
    const set = await stack.people.owner('PATCH', '/calls/retention', { keep_days: 30, keep_recordings_days: 7 });
    expect(set).toMatchObject({ status: 200, body: { keep_days: 30, keep_recordings_days: 7 } });
    await forget();
    expect(ids(await owner(PATH))).toEqual([recent.callId]);
    expect((await stack.people.stranger('GET', `/instances/${INSTANCE_TWO}/calls`)).body).toHaveLength(1);
    expect((await owner('/company/audit?action=call.retention')).body).toHaveLength(1);
    const forever = await stack.people.owner('PATCH', '/calls/retention', {
      keep_days: null,
      keep_recordings_days: null,
    });
    expect(forever.body).toEqual({ keep_days: null, keep_recordings_days: null });
  });

  test('It is refused to others, and for values that make no sense', async () => {
    const set = (body: object) => stack.people.owner('PATCH', '/calls/retention', body);
    expect(await stack.people.member('PATCH', '/calls/retention', { keep_days: 1 })).toMatchObject(problem(403));
    for (const body of [{ keep_days: 0 }, { keep_days: 'x' }, { keep_days: 5, keep_recordings_days: 6 }]) {
      expect(await set(body)).toMatchObject(problem(400));
    }
  });
});

test('Nobody listens to a simulated PBX, so nothing is unknown of it and nothing is shown', async () => {
  expect((await owner('/calls/live')).body).toEqual({ calls: [], unknown: [] });
});
