import { REAL_VENDORS } from '../support/telephony/pbx-vendors';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { INSTANCE_ONE } from '../api/telephony/people';

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const DRIFT = `/instances/${INSTANCE_ONE}/drift`;

describe.each(REAL_VENDORS)('Reconciliation with %s', (vendor) => {
  let stack: TelephonyStack;
  beforeAll(async () => {
    stack = await openTelephony({ PBX_SWEEP_MS: '200' }, vendor);
  });
  afterAll(() => stack.close());

  let next = 3000;
  const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });
  const create = async () => (await stack.people.owner('POST', PATH, draft())).body;

  test('Reconciliation repairs missing and changed extensions, removes its own leftovers, and reports and keeps unknown ones', async () => {
    const { people, pbx, worker } = stack;
    const [gone, altered, fine, left] = [await create(), await create(), await create(), await create()];
    const [leftover] = (await pbx.holds(INSTANCE_ONE)).filter(({ number }) => number === left.data.id);
    expect((await people.owner('DELETE', `${PATH}/${left._id}`)).status).toBe(200);
    await pbx.remove(INSTANCE_ONE, gone.data.id);
    await pbx.put(INSTANCE_ONE, altered.data.id, { name: 'Altered', secret: 'stolen' });
    await pbx.put(INSTANCE_ONE, 8888, { name: 'Unknown', secret: 'theirs' });
    // As if a PBX restored from yesterday's backup had lost its deletion.
    await pbx.put(INSTANCE_ONE, left.data.id, leftover!);

    const { status, body } = await people.owner('POST', DRIFT);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      is_complete: true,
      missing: [gone.data.id],
      changed: [altered.data.id],
      unknown: [8888],
      leftover: [left.data.id],
      repaired: [gone.data.id, altered.data.id, left.data.id],
    });
    const held = new Map((await pbx.holds(INSTANCE_ONE)).map((each) => [each.number, each]));
    for (const each of [gone, altered, fine]) {
      expect(held.get(each.data.id)).toMatchObject({ name: each.data.name, secret: each.data.secret });
    }
    expect([held.has(8888), held.has(left.data.id)]).toEqual([true, false]);
    const again = await people.owner('POST', DRIFT);
    expect(again.body).toMatchObject({ missing: [], changed: [], leftover: [], unknown: [8888], repaired: [] });
    expect(await worker.mysql('tel_reloads').first('instance')).toEqual(
      vendor === 'freepbx' ? { instance: INSTANCE_ONE } : undefined,
    );
  });

  test('A repair that the PBX only claims to have made is not reported as repaired, and the report names the extension', async () => {
    const { people, pbx } = stack;
    const altered = await create();
    await pbx.put(INSTANCE_ONE, altered.data.id, { name: 'Altered', secret: 'stolen' });
    await pbx.fault({ instance: INSTANCE_ONE, mode: 'only-say-yes' });
    const lied = (await people.owner('POST', DRIFT)).body;
    await pbx.fault({ mode: 'ok' });
    expect(lied).toMatchObject({ is_complete: false, changed: [altered.data.id], repaired: [] });
    expect(lied.detail).toContain(`does not hold it: ${altered.data.id}`);
    const mended = { is_complete: true, repaired: [altered.data.id] };
    expect((await people.owner('POST', DRIFT)).body).toMatchObject(mended);
  });

  test('Reconciliation reports that the PBX cannot be read, and changes nothing', async () => {
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'error', list: true });
    const { body } = await stack.people.owner('POST', DRIFT);
    await stack.pbx.fault({ mode: 'ok' });
    expect(body).toMatchObject({ is_complete: false, detail: expect.stringContaining('PBX'), repaired: [] });
  });
});
