// Ring groups and numbers from outside on a FreePBX, which cannot tell whose they are.
import { INSTANCE_ONE, problem } from '../../api/telephony/people';
import { freePbxSide, numberOf } from '../../support/telephony/freepbx-side';
import { passAnHour } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

let stack: TelephonyStack;
let side: ReturnType<typeof freePbxSide>;
let extension: number;

beforeAll(async () => {
  stack = await openTelephony({ PBX_SWEEP_MS: '200', BREAKER_FAILURES: '1000' }, 'freepbx');
  side = freePbxSide(stack);
  extension = numberOf(await side.create({ voicemail: 'default' }));
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

const PBX = `/instances/${INSTANCE_ONE}`;
const GROUPS = `${PBX}/ring-groups`;
const NUMBERS = `${PBX}/numbers`;
let next = 600;
const owner = (method: string, path: string, body?: object) => stack.people.owner(method, path, body);
const group = (more: object = {}) => ({ number: ++next, name: `Group ${next}`, members: [String(extension)], ...more });
const outside = (more: object = {}) => ({
  number: `+1555010${++next}`,
  name: `Line ${next}`,
  destination: { type: 'extension', number: extension },
  ...more,
});
const make = async (path: string, body: object) => {
  const answer = await owner('POST', path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const digits = (number: string | number): string => String(number).replace('+', '');
const atPbx = async (path: string, number: string | number, method = 'GET', body?: object) => {
  const url = `${stack.pbx.url}${path}/${digits(number)}`;
  const reply = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return reply.status === 404 ? undefined : ((await reply.json()) as Record<string, unknown>);
};
const settled = async () => {
  await passAnHour(stack.worker.mysql, INSTANCE_ONE);
  await until(
    () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state'),
    (states: string[]) => states.length === 0,
  );
};

describe('Ring groups on a FreePBX', () => {
  test('A ring group is made, changed and removed, and members outside end with a #', async () => {
    const members = [String(extension), '+1 (555) 010-0003', '015550100004'];
    const made = await make(GROUPS, group({ members, prefix: 'Sales:', no_answer: { type: 'busy' } }));
    expect(await atPbx(GROUPS, made.number)).toEqual({
      number: made.number,
      description: made.name,
      strategy: 'ringall',
      grplist: `${extension}-15550100003#-015550100004#`,
      grptime: '20',
      grppre: 'Sales:',
      postdest: 'app-blackhole,busy,1',
    });
    const change = { strategy: 'hunt', prefix: '', no_answer: { type: 'voicemail', number: extension } };
    expect(await owner('PATCH', `${GROUPS}/${made.id}`, change)).toMatchObject({ status: 200, body: change });
    expect(await atPbx(GROUPS, made.number)).toMatchObject({
      strategy: 'hunt',
      grppre: '',
      postdest: `ext-local,vmu${extension},1`,
    });
    expect((await owner('DELETE', `${GROUPS}/${made.id}`)).status).toBe(200);
    expect(await atPbx(GROUPS, made.number)).toBeUndefined();
    const begun = await stack.worker.mysql('tel_reloads').first('instance');
    expect(begun).toEqual({ instance: INSTANCE_ONE });
  });

  test('What FreePBX has no room for gets 400 that names the field, and nothing is sent', async () => {
    const long = await owner('POST', GROUPS, group({ name: 'x'.repeat(36) }));
    expect(long).toMatchObject(problem(400));
    expect(long.body.detail).toContain('name: takes 36 characters on the PBX, and may take 35');
    const many = Array.from({ length: 20 }, (_, at) => `+155501000000${at + 10}`);
    const crowded = await owner('POST', GROUPS, group({ members: many }));
    expect(crowded).toMatchObject(problem(400));
    expect(crowded.body.detail).toContain('members: takes 319 characters');
    expect(await atPbx(GROUPS, next)).toBeUndefined();
  });

  test('A FreePBX without the module gets 400 that says so, and comparisons go on', async () => {
    const modules = `${stack.pbx.url}/freepbx/${INSTANCE_ONE}/simulated/modules`;
    await fetch(modules, { method: 'PUT', body: JSON.stringify({ ringgroups: false }) });
    const refused = await owner('POST', GROUPS, group());
    const report = await owner('POST', `${PBX}/drift`);
    await fetch(modules, { method: 'PUT', body: JSON.stringify({}) });
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('install the module Ring Groups');
    expect(report.body).toMatchObject({ is_complete: true });
  });
});

describe('Numbers from outside on a FreePBX', () => {
  test('A number leads to an extension, a mailbox, a ring group and nowhere, and is taken away', async () => {
    const sales = await make(GROUPS, group());
    const made = await make(NUMBERS, outside());
    expect(await atPbx(NUMBERS, made.number)).toEqual({
      number: Number(digits(made.number)),
      description: made.name,
      destination: `from-did-direct,${extension},1`,
    });
    for (const [destination, place] of [
      [{ type: 'voicemail', number: extension }, `ext-local,vmu${extension},1`],
      [{ type: 'ring_group', number: sales.number }, `ext-group,${sales.number},1`],
      [{ type: 'hangup', number: null }, 'app-blackhole,hangup,1'],
    ] as const) {
      const changed = await owner('PATCH', `${NUMBERS}/${made.id}`, { destination });
      expect(changed).toMatchObject({ status: 200, body: { destination } });
      expect(await atPbx(NUMBERS, made.number)).toMatchObject({ destination: place });
    }
    expect((await owner('DELETE', `${NUMBERS}/${made.id}`)).status).toBe(200);
    expect(await atPbx(NUMBERS, made.number)).toBeUndefined();
  });

  test('A destination that FreePBX has lost gets 502, and nothing is left', async () => {
    const lost = numberOf(await side.create());
    await stack.pbx.remove(INSTANCE_ONE, lost);
    const body = outside({ destination: { type: 'extension', number: lost } });
    expect(await owner('POST', NUMBERS, body)).toMatchObject(problem(502));
    await settled();
    expect(await atPbx(NUMBERS, body.number)).toBeUndefined();
  });
});

describe.each([
  ['ring group', GROUPS, group, { description: 'By hand', grplist: '1', grptime: '9', strategy: 'ringall' }],
  ['number', NUMBERS, outside, { description: 'By hand', destination: 'app-blackhole,busy,1' }],
] as const)('A %s on a FreePBX', (_, path, draft, byHand) => {
  test('What somebody has made there by hand is never replaced, and never removed', async () => {
    const body = draft();
    const theirs = { number: Number(digits(body.number)), ...byHand };
    await atPbx(path, body.number, 'PUT', theirs);
    const refused = await owner('POST', path, body);
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('already');
    await stack.pbx.fault({ mode: 'error' });
    expect(await owner('POST', path, body)).toMatchObject(problem(502));
    await stack.pbx.fault({ mode: 'ok' });
    await settled();
    const { arrangements } = (await owner('POST', `${PBX}/drift`)).body;
    expect(arrangements.unknown).toHaveLength(1);
    expect(await atPbx(path, body.number)).toEqual(theirs);
    await atPbx(path, body.number, 'DELETE');
  });

  test.each(['error', 'half-apply', 'only-say-yes'])(
    'An order that fails with %s gets 502, and is undone',
    async (mode) => {
      const body = draft();
      await stack.pbx.fault({ mode });
      expect(await owner('POST', path, body)).toMatchObject(problem(502));
      await stack.pbx.fault({ mode: 'ok' });
      await settled();
      expect(await atPbx(path, body.number)).toBeUndefined();
      const made = await make(path, body);
      const held = await atPbx(path, body.number);
      await stack.pbx.fault({ mode });
      expect(await owner('PATCH', `${path}/${made.id}`, { name: 'Other' })).toMatchObject(problem(502));
      expect(await owner('DELETE', `${path}/${made.id}`)).toMatchObject(problem(502));
      await stack.pbx.fault({ mode: 'ok' });
      await settled();
      expect(await atPbx(path, body.number)).toEqual(held);
    },
  );

  test('What a late answer leaves behind after the order has failed is removed', async () => {
    const body = draft();
    const asked = async (method: RegExp) =>
      (await stack.pbx.requests(INSTANCE_ONE)).some(
        (request) => method.test(request.method) && request.number === digits(body.number),
      );
    await stack.pbx.fault({ mode: 'hold', late: true, changes: true });
    await stack.within({ pbxCallMs: 2000 }, async () => {
      expect(await owner('POST', path, body)).toMatchObject(problem(502));
    });
    expect([await asked(/^add/), await asked(/^(delete|remove)/)]).toEqual([true, false]);
    await stack.pbx.fault({ mode: 'ok' });
    await stack.pbx.quiet();
    await settled();
    expect(await asked(/^(delete|remove)/)).toBe(true);
    expect(await atPbx(path, body.number)).toBeUndefined();
  });

  test('A comparison makes what is missing and mends what was changed', async () => {
    const [missing, changed] = [await make(path, draft()), await make(path, draft())];
    const held = [await atPbx(path, missing.number), await atPbx(path, changed.number)];
    await atPbx(path, missing.number, 'DELETE');
    await atPbx(path, changed.number, 'PUT', { ...held[1], description: 'Otherwise' });
    const report = (await owner('POST', `${PBX}/drift`)).body;
    expect(report).toMatchObject({ is_complete: true, detail: '', arrangements: { unknown: [], leftover: [] } });
    expect(report.arrangements.missing).toEqual([expect.stringContaining(digits(missing.number))]);
    expect(report.arrangements.changed).toEqual([expect.stringContaining(digits(changed.number))]);
    expect([await atPbx(path, missing.number), await atPbx(path, changed.number)]).toEqual(held);
    const again = (await owner('POST', `${PBX}/drift`)).body.arrangements;
    expect(again).toMatchObject({ missing: [], changed: [], repaired: [] });
  });
});

test('A FreePBX has no forwards, and its instance says what it takes', async () => {
  expect((await owner('GET', PBX)).body.arrangements).toEqual(['ring-group', 'number']);
  const [made] = (await owner('GET', `${PBX}/bulks/extensions`)).body;
  const forwards = await owner('PATCH', `${PBX}/extensions/${made._id}/forwards`, { always: '102' });
  expect(forwards).toMatchObject(problem(400));
});
