// Incomplete extensions, which FreePBX cannot change, and undos that fail on them.
import type { Caller } from '../../../src/telephony/model/contacts/contact';
import { orderAdmin } from '../../../src/telephony/queries/extensions/order-admin';
import { listStandings } from '../../../src/telephony/queries/portal/lists';
import { CONFIRMED, DRIFT, freePbxSide, LOST, numberOf, PATH, type Made } from '../../support/telephony/freepbx-side';
import { pbxMail, sendToPbx } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { backlogOf } from '../../support/kernel/mailboxes';
import { until } from '../../support/until';
import { INSTANCE_ONE, problem } from '../../api/telephony/people';

let stack: TelephonyStack;
let side: ReturnType<typeof freePbxSide>;

beforeAll(async () => {
  stack = await openTelephony({ PBX_SWEEP_MS: '200', PBX_LATE_MS: '1000', BREAKER_FAILURES: '1000' }, 'freepbx');
  side = freePbxSide(stack);
});
afterEach(() => stack.pbx.fault({ mode: 'ok' }));
afterAll(() => stack.close());

describe('Incomplete extensions', () => {
  test.each(['PUT', 'PATCH'])(
    '%s of an incomplete extension with messages gets 400, and repairs it once confirmed',
    async (method) => {
      const made = await side.withMessages();
      await side.halve(made);
      const send = (query = '') =>
        stack.people.owner(method, `${PATH}/${made._id}${query}`, { data: { ...made.data, name: 'Whole' } });
      const refused = await send();
      expect(refused).toMatchObject(problem(400));
      expect(refused.body.detail).toMatch(
        /^discard_voicemail: must be true, as the PBX holds only half of the extension/,
      );
      expect(await send(CONFIRMED)).toMatchObject({ status: 200, body: { warnings: expect.arrayContaining([LOST]) } });
      expect(await side.heldOf(numberOf(made))).toMatchObject({ name: 'Whole', secret: made.data['secret'] });
      expect((await side.heldOf(numberOf(made)))?.['lacks']).toBeUndefined();
    },
  );

  test('POST of a number that is incomplete in FreePBX gets 400 if it has messages, and 201 once confirmed', async () => {
    const made = await side.withMessages();
    await side.halve(made);
    await stack.worker.mysql('tel_extensions').where({ id: made._id }).delete();
    const body = { data: { id: numberOf(made), name: 'Anew' } };
    expect(await stack.people.owner('POST', PATH, body)).toMatchObject(problem(400));
    expect(await stack.people.owner('POST', `${PATH}${CONFIRMED}`, body)).toMatchObject({ status: 201 });
  });

  test('An incomplete extension without a mailbox is repaired without confirmation, by an order and by reconciliation', async () => {
    const [one, two] = [await side.create(), await side.create()];
    await side.halve(one);
    await side.halve(two);
    expect((await side.patch(one, { name: 'Whole' })).status).toBe(200);
    const { body } = await stack.people.owner('POST', DRIFT);
    expect(body).toMatchObject({ is_complete: true, missing: [numberOf(two)], repaired: [numberOf(two)], skipped: [] });
    expect((await side.heldOf(numberOf(two)))?.['lacks']).toBeUndefined();
  });

  test('A device that has lost its user gets it back, with all messages', async () => {
    const made = await side.withMessages();
    await side.alter(made, { lacks: 'user' });
    expect((await side.patch(made, { name: 'Whole' })).status).toBe(200);
    expect(await side.heldOf(numberOf(made))).toMatchObject({ name: 'Whole', voicemail_messages: 3 });
  });
});

describe('Undos that fail', () => {
  const raw = (sql: string) => stack.worker.mysql.raw(sql);
  const order = (made: Made) => stack.worker.mysql('tel_operations').where({ extension_number: numberOf(made) });
  const standing = async (made: Made) => {
    const { company_id: companyId } = await stack.worker
      .mysql('tel_extensions')
      .where({ id: made._id })
      .first('company_id');
    const by = { companyId, contactId: stack.people.ids.owner as Caller['contactId'], isOwner: true, from: '' };
    const [found] = await listStandings(stack.worker.mysql, by, { uuid: INSTANCE_ONE, numbers: [numberOf(made)] });
    return found;
  };

  const mail = () => pbxMail(stack.worker.mysql, INSTANCE_ONE, 'undo');
  const sendUndo = async (made: Made) =>
    sendToPbx(stack.worker, INSTANCE_ONE, { kind: 'undo', id: (await order(made).first('id')).id });

  /** An order that failed and must be undone, on an extension that cannot be restored without a confirmation. */
  async function beginUndo(attempts: number): Promise<Made> {
    const made = await side.withMessages();
    await side.halve(made);
    await order(made).update({ state: 'undoing', detail: 'The PBX failed' });
    await sendUndo(made);
    await until(
      () => mail().first('attempts'),
      (waiting) => waiting?.attempts === 1,
    );
    await mail().update({ attempts, due_at: raw('NOW(3)') });
    return made;
  }

  test('An undo is tried a limited number of times, with longer pauses, and is then named by drift and portal', async () => {
    const made = await beginUndo(9);
    const { attempts, pause } = await until(
      () => mail().first('attempts', { pause: raw('TIMESTAMPDIFF(SECOND, NOW(3), due_at)') }),
      (waiting) => waiting?.attempts === 10,
    );
    expect([attempts, pause]).toEqual([10, expect.any(Number)]);
    expect(pause).toBeGreaterThan(500);
    const skipping = (await stack.people.owner('POST', DRIFT)).body;
    expect(skipping).toMatchObject({
      is_complete: false,
      skipped: expect.arrayContaining([{ number: numberOf(made), reason: 'an order is being undone' }]),
    });
    expect(await standing(made)).toMatchObject({ state: 'failed' });
    await mail().update({ attempts: 11, due_at: raw('NOW(3)') });
    await until(
      () => order(made).first('state'),
      ({ state }) => state === 'stuck',
    );
    const detail = expect.stringMatching(/^The PBX failed; it could not be undone: the PBX holds only half/);
    expect((await stack.people.owner('GET', DRIFT)).body.stuck).toEqual([{ number: numberOf(made), detail }]);
    expect(await standing(made)).toEqual({ number: numberOf(made), order: 'create', state: 'stuck', detail });
    expect(await side.messagesOf(numberOf(made))).toBe(3);
    const [item] = await orderAdmin.search(stack.worker, { state: 'dead', limit: 10 });
    expect(item).toMatchObject({ state: 'dead', subject: INSTANCE_ONE, attempts: 12, reason: detail });
    expect(await backlogOf(stack.worker, orderAdmin)).toMatchObject({ dead: 1 });
    // A user who confirms the loss repairs it, and the order is settled.
    expect((await side.patch(made, { name: 'Whole' }, CONFIRMED)).status).toBe(200);
    expect((await stack.people.owner('GET', DRIFT)).body.stuck).toEqual([]);
    expect((await stack.people.owner('POST', DRIFT)).body).toMatchObject({ is_complete: true, stuck: [] });
    expect(await order(made).whereIn('state', ['stuck', 'undoing'])).toEqual([]);
  });

  test('Operators can have an undo that was given up tried again, or leave it to the comparison', async () => {
    const made = await beginUndo(11);
    const isStuck = () =>
      until(
        () => order(made).first('id', 'state'),
        ({ state }) => state === 'stuck',
      );
    const apply = async (remedy: 'retry' | 'discard') => {
      const { id } = await isStuck();
      expect(await stack.worker.transaction((tx) => orderAdmin.apply(stack.worker, tx, remedy, [id]))).toEqual([id]);
    };
    await isStuck();
    await side.alter(made, { lacks: 'nothing' });
    await apply('retry');
    await order(made).update({ called_at: raw('NOW(3) - INTERVAL 1 HOUR') });
    await until(
      () => order(made).first('state'),
      ({ state }) => state === 'failed',
    );
    await order(made).update({ state: 'stuck' });
    await apply('discard');
    expect(await order(made).first('state')).toEqual({ state: 'failed' });
  });

  test('The undo of a confirmed order may delete messages, and so may that of a deletion', async () => {
    for (const more of [{ may_discard: true }, { kind: 'delete' }]) {
      const made = await side.withMessages();
      await side.halve(made);
      await order(made).update({
        state: 'undoing',
        called_at: raw('NOW(3) - INTERVAL 1 HOUR'),
        ...more,
      });
      await sendUndo(made);
      await until(
        () => order(made).first('state'),
        ({ state }) => state === 'failed',
      );
      expect(await side.heldOf(numberOf(made))).toMatchObject({ secret: made.data['secret'] });
      expect((await side.heldOf(numberOf(made)))?.['lacks']).toBeUndefined();
    }
  });
});
