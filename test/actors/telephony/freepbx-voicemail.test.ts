// What FreePBX deletes when an extension is changed.
import { CONFIRMED, DRIFT, draft, freePbxSide, LOSS, LOST, numberOf, PATH } from '../../support/telephony/freepbx-side';
import { withLease } from '../../support/telephony/pbx-undos';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
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

describe('Voicemail messages', () => {
  test.each([
    ['a name', { name: 'Renamed' }, ['enableVoiceMail', 'updateCoreUser']],
    ['a ring time', { ringtimer: '30' }, ['updateCoreUser']],
    ['an outbound caller id', { outboundcid: '15550100001' }, ['updateCoreUser']],
    ['the options of the mailbox', { voicemail_options: 'attach=yes|saycid=no' }, ['enableVoiceMail']],
    ['a pin', { voicemail_vmpwd: '9876' }, ['enableVoiceMail']],
  ])('A change of %s keeps the messages', async (_, data, calls) => {
    const made = await side.withMessages();
    const before = await side.callsFor(numberOf(made));
    const { status, body } = await side.patch(made, data);
    expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: [] });
    expect((await side.callsFor(numberOf(made))).slice(before.length)).toEqual(calls);
    expect(await side.messagesOf(numberOf(made))).toBe(3);
  });

  test('A change of fields that the PBX does not store causes no call and no reload', async () => {
    const made = await side.withMessages();
    await stack.worker.mysql('tel_reloads').delete();
    await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'error', list: true });
    const { _id: path } = made;
    const nothing = await stack.people.owner('PUT', `${PATH}/${path}`, made);
    expect(nothing.status).toBe(200);
    expect((await side.patch(made, { description: 'By the window' })).body.data.description).toBe('By the window');
    const user = { id: stack.people.ids.member };
    expect((await stack.people.owner('PATCH', `${PATH}/${path}`, { user })).body.user.id).toBe(user.id);
    await stack.pbx.fault({ mode: 'ok' });
    expect(await side.messagesOf(numberOf(made))).toBe(3);
    expect(await stack.worker.mysql('tel_reloads')).toEqual([]);
  });

  test.each([
    ['secret', { secret: 'another-secret-9' }],
    ['max_contacts', { max_contacts: '4' }],
    ['emergency_cid', { emergency_cid: '911' }],
    ['voicemail', { voicemail: 'novm' }],
  ])('A change of %s gets 400 that names the loss, and is done with a warning once confirmed', async (name, data) => {
    const made = await side.withMessages();
    const refused = await side.patch(made, data);
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toBe(`discard_voicemail: must be true, as changing data.${name} ${LOSS}`);
    expect(await side.messagesOf(numberOf(made))).toBe(3);
    const { status, body } = await side.patch(made, data, CONFIRMED);
    expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: [LOST] });
    expect(body.data).toMatchObject(data);
    expect(await side.heldOf(numberOf(made))).toMatchObject({ number: numberOf(made), ...data });
    expect(await side.messagesOf(numberOf(made))).toBeUndefined();
  });

  test('A change of the secret of an extension without a mailbox needs no confirmation', async () => {
    const made = await side.create();
    const { status, body } = await side.patch(made, { secret: 'another-secret-9' });
    expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: [] });
  });

  test('A change of name gets 400 if the PBX now has another secret, which only updateExtension could restore', async () => {
    const made = await side.withMessages();
    await side.alter(made, { secret: 'set-by-hand' });
    const refused = await side.patch(made, { name: 'Renamed' });
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('changing data.secret');
    expect((await side.patch(made, { name: 'Renamed' }, CONFIRMED)).status).toBe(200);
    expect(await side.heldOf(numberOf(made))).toMatchObject({ name: 'Renamed', secret: made.data['secret'] });
  });

  test('A creation takes over a number with a mailbox in FreePBX only if the loss is confirmed', async () => {
    const body = draft();
    const mailbox = { voicemail: 'default', voicemail_vmpwd: '4711', voicemail_messages: 2 };
    await stack.pbx.put(INSTANCE_ONE, body.data.id, { name: 'By hand', secret: 'by-hand-secret', ...mailbox });
    expect(await stack.people.owner('POST', PATH, body)).toMatchObject(problem(400));
    expect(await side.messagesOf(body.data.id)).toBe(2);
    const made = await stack.people.owner('POST', `${PATH}${CONFIRMED}`, body);
    expect(made).toMatchObject({ status: 201, body: { warnings: [LOST] } });
  });

  test('A repeated key is refused for the same change with a confirmation, as that is another order', async () => {
    const made = await side.withMessages();
    await side.alter(made, { secret: 'set-by-hand' });
    const headers = { 'Idempotency-Key': 'same-key-twice' };
    const send = (query: string) =>
      stack.people.owner('PATCH', `${PATH}/${made._id}${query}`, { data: { name: 'Once' } }, { headers });
    expect((await send('')).body.detail).toContain('discard_voicemail');
    expect((await send(CONFIRMED)).body.detail).toBe('This Idempotency-Key was used for another request');
    expect((await side.patch(made, { name: 'Once' }, CONFIRMED)).status).toBe(200);
  });

  test('A bulk order keeps messages, and deletes them only in rows that confirm it', async () => {
    const [kept, given] = [await side.withMessages(), await side.withMessages()];
    const csv = [
      'extension,secret,discard_voicemail',
      `${numberOf(kept)},bulk-secret-1,`,
      `${numberOf(given)},bulk-secret-2,true`,
    ].join('\n');
    const headers = { 'Content-Type': 'text/csv' };
    const send = (query: string) =>
      stack.people.owner('POST', `${PATH}/import${query}`, undefined, { raw: csv, headers });
    const detail = `discard_voicemail: must be true, as changing data.secret ${LOSS}`;
    const expected = [
      { number: numberOf(kept), status: 'failed', detail },
      { number: numberOf(given), status: 'ok', detail: '' },
    ];
    expect((await send('?dry_run=true')).body.rows).toMatchObject(expected);
    const { body: ordered } = await send('');
    const order = await until(
      async () => (await stack.people.owner('GET', `/bulks/${ordered.id}`)).body,
      ({ state }) => state === 'finished',
    );
    expect(order.rows.map(({ status, detail: why }: { status: string; detail: string }) => [status, why])).toEqual(
      expected.map(({ status, detail: why }) => [status, why]),
    );
    expect(order.rows.map(({ warnings }: { warnings: string[] }) => warnings)).toEqual([[], [LOST]]);
    expect([await side.messagesOf(numberOf(kept)), await side.messagesOf(numberOf(given))]).toEqual([3, undefined]);
  });

  test('A confirmation is kept by the order, so that another worker carries it out', async () => {
    const made = await side.withMessages();
    const { mysql } = stack.worker;
    const prefer = { headers: { Prefer: 'respond-async' } };
    const change = { data: { secret: 'another-secret-9' } };
    await withLease(mysql, INSTANCE_ONE, async () => {
      const { status } = await stack.people.owner('PATCH', `${PATH}/${made._id}${CONFIRMED}`, change, prefer);
      expect(status).toBe(202);
      // As if a worker had started it and died.
      await mysql('tel_operations').where({ instance: INSTANCE_ONE, state: 'pending' }).update({ state: 'running' });
    });
    const last = () =>
      mysql('tel_operations')
        .where({ extension_number: numberOf(made), kind: 'update' })
        .first('state', 'answer');
    const { answer } = await until(last, ({ state }) => state === 'succeeded');
    expect(JSON.parse(stack.worker.secrets.decrypt(answer)).warnings).toEqual([LOST]);
    expect(await side.heldOf(numberOf(made))).toMatchObject({ secret: 'another-secret-9' });
  });
});

describe('Reconciliation and messages', () => {
  test('Reconciliation keeps messages, repairs what it can, and names the difference that it leaves', async () => {
    const [renamed, other] = [await side.withMessages(), await side.withMessages()];
    await side.alter(renamed, { name: 'By hand' });
    await side.alter(other, { secret: 'by-hand' });
    const reason = `changing data.secret ${LOSS}`;
    const { body } = await stack.people.owner('POST', DRIFT);
    expect(body).toMatchObject({
      is_complete: false,
      changed: expect.arrayContaining([numberOf(renamed), numberOf(other)]),
      repaired: [numberOf(renamed)],
      skipped: expect.arrayContaining([{ number: numberOf(other), reason }]),
    });
    expect(body.detail).toContain(`${numberOf(other)} (${reason})`);
    expect([await side.messagesOf(numberOf(renamed)), await side.messagesOf(numberOf(other))]).toEqual([3, 3]);
    expect((await side.heldOf(numberOf(renamed)))?.name).toBe(renamed.data['name']);
    expect((await side.patch(other, { name: other.data['name'] }, CONFIRMED)).status).toBe(200);
    const again = (await stack.people.owner('POST', DRIFT)).body;
    expect(again).toMatchObject({ is_complete: true, skipped: [], changed: [] });
  });
});
