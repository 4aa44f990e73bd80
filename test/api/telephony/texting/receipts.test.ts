import fc from 'fast-check';
import { recordOutcome, recordReceipt } from '../../../../src/telephony/commands/texting/record-receipt';
import {
  mayFollow,
  statusOfAll,
  type CarrierAccountId,
  type Receipt,
  type SendId,
  type SendOutcome,
  type SendStatus,
} from '../../../../src/telephony/model/texting/texting';
import { outbound } from '../../../../src/telephony/store/texting/text-sends';
import { OURS, openTexting, type Texting } from '../../../support/telephony/texting';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';

interface Send {
  readonly id: SendId;
  readonly carrier_account_id: CarrierAccountId;
  readonly status: SendStatus;
}

/** A text to several numbers, each copy with the carrier's id. */
async function sent(members: number): Promise<{ conversation: string; textId: string; sends: Send[] }> {
  const recipients = Array.from({ length: members }, () => texting.someone());
  const { body } = await texting.people.owner('POST', PATH, { recipients, from_number: OURS });
  const textId = (await texting.send(body.id, 'hello')).body.id as string;
  return { conversation: body.id, textId, sends: await sendsOf(textId) };
}

const sendsOf = async (textId: string): Promise<Send[]> =>
  (await texting.kernel.mysql('tel_text_sends').where({ text_id: textId }).orderBy('position')) as Send[];

const receipt = (send: Send, status: Receipt['status'], more: Partial<Receipt> = {}) =>
  recordReceipt(texting.kernel.transaction, {
    carrierAccountId: send.carrier_account_id,
    carrierMessageId: `name-${send.id}`,
    status,
    at: new Date(),
    ...more,
  });

const outcome = (send: Send, came: SendOutcome) =>
  texting.kernel.transaction(({ db }) => recordOutcome(db, send.id, came));

const named = (send: Send, status: Receipt['status'] = 'sending') =>
  outcome(send, { carrierMessageId: `name-${send.id}`, status });

const messageOf = async (conversation: string) =>
  (await texting.people.owner('GET', `${PATH}/${conversation}/messages`)).body[0];

test('A text goes from queued to delivered, and no receipt takes its status back', async () => {
  const { conversation, sends } = await sent(1);
  const [send] = sends as [Send];
  expect(await messageOf(conversation)).toMatchObject({ status: 'queued' });
  expect(await receipt(send, 'sent')).toBe('unknown');
  const begun = { carrierMessageId: '', status: 'sending' } as const;
  expect(await outcome(send, begun)).toBe('recorded');
  expect(await messageOf(conversation)).toMatchObject({ status: 'sending' });
  // Still sending, but now it has a carrier id.
  expect(await named(send)).toBe('recorded');
  expect(await named(send)).toBe('stale');
  expect(await receipt(send, 'delivered', { segments: 3 })).toBe('recorded');
  for (const late of ['sending', 'sent'] as const) expect(await receipt(send, late)).toBe('over');
  expect(await receipt(send, 'failed', { error: { code: '1', detail: 'late' } })).toBe('over');
  expect(await messageOf(conversation)).toMatchObject({ status: 'delivered', segments: 3, error: null });
});

test('A text that failed says why, and stays failed', async () => {
  const { conversation, sends } = await sent(1);
  const [send] = sends as [Send];
  await named(send, 'sent');
  const error = { code: '30003', detail: 'Unreachable' };
  expect(await receipt(send, 'failed', { error })).toBe('recorded');
  expect(await receipt(send, 'delivered')).toBe('over');
  expect(await messageOf(conversation)).toMatchObject({ status: 'failed', error });
});

test('A text to several people has the status of its slowest copy that did not fail', async () => {
  const { conversation, sends } = await sent(3);
  const [one, two, three] = sends as [Send, Send, Send];
  await Promise.all(sends.map((send) => named(send, 'sent')));
  expect(await messageOf(conversation)).toMatchObject({ status: 'sent' });
  await receipt(one, 'delivered');
  await receipt(two, 'failed', { error: { code: 'x', detail: 'y' } });
  expect(await messageOf(conversation)).toMatchObject({ status: 'sent', error: null });
  await receipt(three, 'delivered');
  expect(await messageOf(conversation)).toMatchObject({ status: 'delivered', error: null });
});

test('Receipts for all copies at once leave the text delivered', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { conversation, sends } = await sent(5);
    await Promise.all(sends.map((send) => named(send)));
    await Promise.all(sends.flatMap((send) => [receipt(send, 'sent'), receipt(send, 'delivered')]));
    expect(await messageOf(conversation)).toMatchObject({ status: 'delivered' });
  }
});

test('A receipt of one carrier account never changes a text of another account', async () => {
  const { sends } = await sent(1);
  const [send] = sends as [Send];
  await named(send);
  expect(await receipt(send, 'delivered', { carrierAccountId: 'another' as CarrierAccountId })).toBe('unknown');
});

test('Receipts in any order end in the status that the order of statuses says, and never go back', async () => {
  const status = fc.constantFrom<Receipt['status']>('sending', 'sent', 'delivered', 'failed');
  const reported = fc.array(fc.tuple(fc.nat(2), status), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 3 }), reported, async (members, receipts) => {
      const { textId, sends } = await sent(members);
      await Promise.all(sends.map((send) => named(send)));
      const model: SendStatus[] = sends.map(() => 'sending');
      let whole: SendStatus = 'sending';
      for (const [index, next] of receipts) {
        const place = index % members;
        await receipt(sends[place]!, next);
        if (mayFollow(model[place]!, next)) model[place] = next;
        const [row] = (await texting.kernel.mysql('tel_texts').where({ id: textId })) as [{ status: SendStatus }];
        if (row.status !== whole) expect(mayFollow(whole, row.status)).toBe(true);
        whole = row.status;
        expect(whole).toBe(statusOfAll(model));
      }
      expect((await sendsOf(textId)).map((send) => send.status)).toEqual(model);
    }),
    { numRuns: 15 },
  );
});

test('A text is due for handover until a carrier accepted it or it failed, for each copy', async () => {
  const { sends } = await sent(2);
  const [first, second] = sends as [Send, Send];
  const shown = ({ id }: Send) => outbound(texting.kernel.mysql, id);
  expect(await shown(first)).toMatchObject({ id: first.id, from: OURS, text: 'hello', calledMsAgo: null });
  await outcome(first, { carrierMessageId: '', status: 'sending' });
  expect(await shown(first)).toMatchObject({ id: first.id });
  await named(first);
  expect(await shown(first)).toBeUndefined();
  expect(await shown(second)).toMatchObject({ id: second.id });
  await named(second, 'failed');
  expect(await shown(second)).toBeUndefined();
});
