/** Everything that can happen to an order on its way to a PBX, for any kind of PBX. */
import type { ProvisioningSettings } from '../../../src/telephony/model/extensions/operation';
import { passAnHour } from '../../support/telephony/pbx-undos';
import { PBX_VENDORS, type PbxVendor } from '../../support/telephony/pbx-vendors';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';
import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../../api/telephony/people';

/** For calls that the PBX does not answer. Calls that it answers have a deadline that no machine misses. */
const UNANSWERED = new Set(['hang', 'slow']);
const SHORT: Partial<ProvisioningSettings> = { pbxCallMs: 300 };
/** Longer than the short deadline. Usually the order is repeated before the PBX carries out the first call. */
const LATE = { delay_ms: 1500, late: true };

export function testOrders(vendor: PbxVendor): void {
  let stack: TelephonyStack;

  beforeAll(async () => {
    // Late changes are checked for until the test ends that time.
    const times = { PBX_SWEEP_MS: '200', PBX_LATE_MS: '600000' };
    stack = await openTelephony({ ...times, BREAKER_FAILURES: '1000' }, vendor);
  });
  afterEach(() => stack.pbx.fault({ mode: 'ok' }));
  afterAll(() => stack.close());

  const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
  let next = 2000;
  const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });
  const listed = async (path = PATH): Promise<number[]> => {
    const { status, body } = await stack.people.owner('GET', `${path}?page_size=1000`);
    return status === 404 ? [] : body.map(({ data }: { data: { id: number } }) => data.id);
  };
  const openOrders = () =>
    stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state');

  /** The PBX fails in this way until the work is done. */
  const whileFailing = <T>(mode: string, work: () => Promise<T>): Promise<T> =>
    stack.within(UNANSWERED.has(mode) ? SHORT : {}, async () => {
      await stack.pbx.fault({ mode, ...(mode === 'slow' ? LATE : {}) });
      const came = await work();
      await stack.pbx.fault({ mode: 'ok' });
      return came;
    });

  /** Once nothing is left to undo, the PBX and the database must agree. */
  async function expectAgreement(): Promise<void> {
    await stack.pbx.fault({ mode: 'ok' });
    await stack.pbx.quiet();
    await passAnHour(stack.worker.mysql, INSTANCE_ONE);
    await until(openOrders, (states) => states.length === 0);
    expect(await stack.pbx.numbers(INSTANCE_ONE)).toEqual(await listed());
    expect(await stack.worker.mysql('tel_extensions').where({ is_visible: false })).toEqual([]);
  }

  /** Repeats the order until the PBX has it: a late change may come in between, which gives a 502 without effect. */
  const make = (body: ReturnType<typeof draft>) =>
    until(
      () => stack.people.owner('POST', PATH, body),
      ({ status }) => status === 201,
    );

  describe.each(PBX_VENDORS[vendor].faults)('PBX in mode %s', (mode) => {
    test('A creation on a failing PBX gets 502 and leaves nothing, and its number is free again', async () => {
      const body = draft();
      await whileFailing(mode, async () => {
        const answer = await stack.people.owner('POST', PATH, body);
        expect(answer).toMatchObject(problem(502));
        expect(answer.body.detail).toMatch(/PBX .*nothing was created/);
        expect(await listed()).not.toContain(body.data.id);
      });
      const again = await make(body);
      await expectAgreement();
      const held = (await stack.pbx.holds(INSTANCE_ONE)).find(({ number }) => number === body.data.id);
      expect(held?.secret).toBe(again.body.data.secret);
    });

    test('A change and a deletion on a failing PBX get 502 and change nothing', async () => {
      const made = (await make(draft())).body;
      await whileFailing(mode, async () => {
        const put = await stack.people.owner('PUT', `${PATH}/${made._id}`, {
          data: { name: 'Other', secret: 'another-secret-9' },
        });
        expect(put).toMatchObject(problem(502));
        expect(put.body.detail).toContain('nothing was changed');
        const del = await stack.people.owner('DELETE', `${PATH}/${made._id}`);
        expect(del).toMatchObject(problem(502));
      });
      expect((await stack.people.owner('GET', `${PATH}/${made._id}`)).body.data).toEqual(made.data);
      await expectAgreement();
      const held = (await stack.pbx.holds(INSTANCE_ONE)).find(({ number }) => number === made.data.id);
      expect(held).toMatchObject({ name: made.data.name, secret: made.data.secret });
    });
  });

  describe('Lost answers of the PBX', () => {
    test('A creation whose answer was lost is read back and gets 201, and the PBX receives only what was missing', async () => {
      await stack.pbx.fault({ mode: 'drop-after-apply', times: 1, changes: true });
      const body = draft();
      expect((await stack.people.owner('POST', PATH, body)).status).toBe(201);
      const requests = (await stack.pbx.requests(INSTANCE_ONE)).filter(({ number }) => number === String(body.data.id));
      expect(requests).toHaveLength(PBX_VENDORS[vendor].changesAfterLoss);
      await expectAgreement();
    });

    test('A deletion whose answer was lost is read back and gets 200', async () => {
      const made = (await make(draft())).body;
      await stack.pbx.fault({ mode: 'drop-after-apply', times: 1 });
      expect((await stack.people.owner('DELETE', `${PATH}/${made._id}`)).status).toBe(200);
      await expectAgreement();
    });

    test('An order whose answers are lost for good gets 502, and its changes are undone', async () => {
      await stack.pbx.fault({ mode: 'drop-after-apply' });
      const body = draft();
      expect(await stack.people.owner('POST', PATH, body)).toMatchObject(problem(502));
      await expectAgreement();
      expect(await stack.pbx.numbers(INSTANCE_ONE)).not.toContain(body.data.id);
    });

    test('A call whose connection broke before the PBX did anything is tried again', async () => {
      await stack.pbx.fault({ mode: 'reset', times: 1 });
      expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
      await expectAgreement();
    });
  });

  describe('Late success of the PBX', () => {
    test('A change that the PBX applies after its order got 502 is undone', async () => {
      const body = draft();
      const asked = async (method: RegExp) =>
        (await stack.pbx.requests(INSTANCE_ONE)).some(
          (request) => method.test(request.method) && request.number === String(body.data.id),
        );
      await stack.pbx.fault({ mode: 'hold', late: true, changes: true });
      const answer = stack.people.owner('POST', PATH, body);
      await until(() => asked(/./));
      stack.deadlines.end(INSTANCE_ONE);
      expect(await answer).toMatchObject(problem(502));
      stack.deadlines.renew(INSTANCE_ONE);
      expect(await asked(/^delete/i)).toBe(false);
      await expectAgreement();
      expect(await asked(/^delete/i)).toBe(true);
      expect(await stack.pbx.numbers(INSTANCE_ONE)).not.toContain(body.data.id);
    });

    test('Undoing an order never removes an extension that somebody else created', async () => {
      const body = draft();
      const answer = await whileFailing('hang', () => stack.people.owner('POST', PATH, body));
      expect(answer).toMatchObject(problem(502));
      await stack.pbx.put(INSTANCE_ONE, body.data.id, { name: 'By hand' });
      expect(await openOrders()).toEqual(['undoing']);
      await passAnHour(stack.worker.mysql, INSTANCE_ONE);
      await until(openOrders, (states) => states.length === 0);
      expect(await stack.pbx.numbers(INSTANCE_ONE)).toContain(body.data.id);
      await stack.pbx.remove(INSTANCE_ONE, body.data.id);
    });
  });

  describe('Hung PBX', () => {
    test('A PBX that hangs does not delay the orders of another PBX', async () => {
      const other = `/instances/${INSTANCE_TWO}/bulks/extensions`;
      let answered = 0;
      const place = async (id: number): Promise<void> => {
        const { status } = await stack.people.stranger('POST', other, { data: { id, name: 'Fast' } });
        expect(status).toBe(201);
      };
      await place(1);
      await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'hang' });
      const stuck = Array.from({ length: 30 }, () =>
        stack.people.owner('POST', PATH, draft()).finally(() => void (answered += 1)),
      );
      await until(openOrders, (states) => states.includes('running'));
      await place(2);
      for (const id of [3, 4, 5]) await place(id);
      expect(answered).toBe(0);
      stack.deadlines.end(INSTANCE_ONE);
      for (const answer of await Promise.all(stuck)) expect(answer).toMatchObject(problem(502));
      stack.deadlines.renew(INSTANCE_ONE);
      await expectAgreement();
    });
  });
}
