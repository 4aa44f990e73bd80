import { createHash } from 'node:crypto';
import { REAL_CARRIERS, type RealCarrier } from '../../support/telephony/carrier-apis';
import { openCarrierStack, type CarrierStack } from '../../support/telephony/carrier-stack';
import { until } from '../../support/until';

let stack: CarrierStack;
const SIMULATED = '+15550100001';
const NUMBERS = Object.fromEntries(REAL_CARRIERS.map((name, at) => [name, `+155501000${at + 11}`])) as Record<
  RealCarrier,
  string
>;
let next = 0;
const somebody = (): string => `+1555020${String(++next).padStart(4, '0')}`;

beforeAll(async () => {
  stack = await openCarrierStack({
    LEASE_MS: '60000',
    BREAKER_OPEN_MS: '500',
    BREAKER_FAILURES: '1000',
  });
  for (const carrier of REAL_CARRIERS) await stack.connect(carrier, NUMBERS[carrier]);
  await stack.startWorkers('texting-outbound', 'texting-inbound');
});
afterAll(() => stack.close());

/** What the carrier took of the texts sent to a number, in its order. */
const takenFor = (number: string): string[] =>
  stack.carrier.seen.filter(({ to }) => to === number).map(({ text }) => text);

test('The simulated carrier accepts every text and delivers it later', async () => {
  const conversation = await stack.converse(SIMULATED, somebody());
  const id = await conversation.send('hello');
  expect(await conversation.reaches(id, 'delivered')).toMatchObject({ text: 'hello', error: null });
});

test.each(REAL_CARRIERS)(
  'The carrier %s receives the texts of a conversation once each and in order',
  async (carrier) => {
    const to = somebody();
    const conversation = await stack.converse(NUMBERS[carrier], to);
    const texts = Array.from({ length: 8 }, (_, index) => `text ${index}`);
    const ids = [];
    for (const text of texts) ids.push(await conversation.send(text));
    await conversation.reaches(ids.at(-1)!, 'sent');
    expect(takenFor(to)).toEqual(texts);
  },
);

test.each(REAL_CARRIERS)(
  'The carrier %s is given a text it could not accept again, and no later text overtakes it',
  async (carrier) => {
    const to = somebody();
    const conversation = await stack.converse(NUMBERS[carrier], to);
    stack.carrier.mood({ status: 503 }, 1);
    const ids = [await conversation.send('first'), await conversation.send('second')];
    await conversation.reaches(ids[1]!, 'sent');
    expect(takenFor(to)).toEqual(['first', 'second']);
  },
);

test('A text that the carrier refuses has failed with its code and words, and the next text is sent', async () => {
  const to = somebody();
  const conversation = await stack.converse(NUMBERS.telnyx, to);
  const error = { code: '40300', title: 'Blocked due to STOP message', detail: 'Messages cannot be sent' };
  stack.carrier.mood({ status: 403, body: { errors: [error] } });
  const [refused, after] = [await conversation.send('refused'), await conversation.send('after')];
  const failed = await conversation.reaches(refused, 'failed');
  expect(failed.error).toEqual({ code: '40300', detail: 'Messages cannot be sent' });
  await conversation.reaches(after, 'sent');
  expect(takenFor(to)).toEqual(['after']);
});

describe('Texts whose answer was lost', () => {
  test('A text whose answer was lost is not handed over twice, and a receipt that names it settles its status', async () => {
    const to = somebody();
    const account = await stack.node.kernel.mysql('tel_text_numbers').where({ e164: NUMBERS.telnyx }).first();
    const conversation = await stack.converse(NUMBERS.telnyx, to);
    stack.carrier.mood('take-and-cut');
    const [lost, after] = [await conversation.send('lost'), await conversation.send('after')];
    const seen = await until(
      () => stack.carrier.seen.find(({ fields }) => fields.to === to),
      (found) => found !== undefined,
    );
    await keepCall(account.carrier_account_id, telnyxReceipt(seen!.messageId, seen!.fields.tags, 'delivered'));
    await conversation.reaches(lost, 'delivered');
    await conversation.reaches(after, 'sent');
    expect(takenFor(to)).toEqual(['lost', 'after']);
  });

  test('A text whose answer was lost and that gets no receipt has failed with an unknown outcome', async () => {
    const to = somebody();
    const conversation = await stack.converse(NUMBERS.twilio, to);
    stack.carrier.mood('take-and-cut');
    const [lost, after] = [await conversation.send('lost'), await conversation.send('after')];
    // The time in which a receipt may come is over.
    const failed = await stack.within({ carrierUnknownMs: 0 }, () => conversation.reaches(lost, 'failed'));
    expect(failed.error).toMatchObject({
      code: 'unknown_outcome',
      detail: expect.stringContaining('may have been sent'),
    });
    await conversation.reaches(after, 'sent');
    expect(takenFor(to)).toEqual(['lost', 'after']);
  });
});

const telnyxReceipt = (id: string, tags: readonly string[], status: string) => ({
  data: {
    id: `event-${id}-${status}`,
    event_type: 'message.finalized',
    occurred_at: new Date().toISOString(),
    payload: {
      id,
      from: { phone_number: NUMBERS.telnyx },
      to: [{ phone_number: '+15550200000', status }],
      parts: 1,
      tags,
      errors: [],
    },
  },
});

const bandwidthReceipt = (id: string, type: string) => ({
  type,
  message: { id, to: ['+15550200000'], from: NUMBERS.bandwidth, text: '', segmentCount: 1 },
});

/** Like the webhook once the signature is checked. */
async function keepCall(accountId: string, body: object): Promise<void> {
  const { mysql } = stack.node.kernel;
  const now = mysql.raw('NOW(3)');
  const row = {
    account_id: accountId,
    about: 'texting',
    dedupe_key: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    url: '',
  };
  const rest = { body: JSON.stringify(body), state: 'pending', created_at: now, next_try_at: now };
  await mysql('tel_carrier_calls').insert({ ...row, ...rest });
}

describe('Receipts', () => {
  test('A receipt that arrives before the answer to its text is kept and then applied', async () => {
    const conversation = await stack.converse(NUMBERS.bandwidth, somebody());
    const { mysql } = stack.node.kernel;
    const account = await mysql('tel_text_numbers').where({ e164: NUMBERS.bandwidth }).first();
    const name = `carrier-${stack.carrier.seen.length + 1}`;
    await keepCall(account.carrier_account_id, [bandwidthReceipt(name, 'message-delivered')]);
    await until(
      () => mysql('tel_carrier_calls').where({ awaits: name, state: 'pending' }),
      (rows) => rows.length === 1,
    );
    const id = await conversation.send('late');
    await conversation.reaches(id, 'delivered');
  });

  test.each([
    ['delivered, sent', ['delivered', 'sent'], 'delivered'],
    ['delivered, failed', ['delivered', 'failed'], 'delivered'],
    ['failed, delivered, sending', ['failed', 'delivered', 'sending'], 'failed'],
  ])('Receipts that arrive out of order (%s) never take a status back', async (_, statuses, end) => {
    const conversation = await stack.converse(NUMBERS.bandwidth, somebody());
    const id = await conversation.send('x');
    await conversation.reaches(id, 'sent');
    const { mysql } = stack.node.kernel;
    const send = await mysql('tel_text_sends').where({ text_id: id }).first();
    const names: Record<string, string> = { sending: 'message-sending', sent: 'message-sent' };
    for (const status of statuses) {
      const type = names[status] ?? `message-${status}`;
      await keepCall(send.carrier_account_id, [bandwidthReceipt(send.carrier_message_id, type)]);
      const pending = () => mysql('tel_carrier_calls').where({ account_id: send.carrier_account_id, state: 'pending' });
      await until(pending, (rows) => rows.length === 0);
    }
    expect((await conversation.messages()).at(-1)).toMatchObject({ id, status: end });
  });
});

test('A carrier that hangs delays no text of another carrier', async () => {
  const hung = await Promise.all(Array.from({ length: 30 }, () => stack.converse(NUMBERS.twilio, somebody())));
  stack.carrier.mood('hang', 30);
  const waiting = await Promise.all(hung.map((conversation) => conversation.send('hangs')));
  await until(() => stack.carrier.hanging() > 0);
  const other = await stack.converse(SIMULATED, somebody());
  await other.reaches(await other.send('quick'), 'delivered');
  const statuses = await Promise.all(hung.map(async (each) => (await each.messages()).at(-1)!.status));
  expect(statuses.filter((status) => ['failed', 'sent'].includes(status))).toEqual([]);
  // The first connections are cut, and the others hang until a short deadline.
  await stack.within({ carrierCallMs: 300, carrierUnknownMs: 0 }, async () => {
    stack.carrier.cut();
    await Promise.all(waiting.map((id, index) => hung[index]!.reaches(id, 'failed')));
  });
});
