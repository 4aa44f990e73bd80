import type { Ending } from '../../../src/kernel/mailbox/ending';
import type { MailTurn } from '../../../src/kernel/mailbox/work';
import { handOver } from '../../../src/telephony/commands/texting/hand-over-text';
import { recordOutcome, recordReceipt } from '../../../src/telephony/commands/texting/record-receipt';
import { receiveText } from '../../../src/telephony/commands/texting/receive-text';
import type { SendId } from '../../../src/telephony/model/texting/texting';
import { outbound, type Outbound } from '../../../src/telephony/store/texting/text-sends';
import { openCarrierStack, type CarrierStack, type Conversation } from '../../support/telephony/carrier-stack';
import { telephonyOf } from '../../support/kernel/parts';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

const OURS = '+15550100021';

let stack: CarrierStack;
let account: Awaited<ReturnType<CarrierStack['connect']>>;
let used = 0;
const somebody = () => `+1555021${String((used += 1)).padStart(4, '0')}`;

beforeAll(async () => {
  stack = await openCarrierStack({ BREAKER_FAILURES: '1000' });
  account = await stack.connect('twilio', OURS);
});
afterAll(() => stack.close());

const takenFor = (number: string) => stack.carrier.seen.filter(({ fields }) => fields.To === number);

const stop = (from: string) =>
  receiveText(stack.node.kernel, {
    carrierAccountId: account.id,
    carrierMessageId: `stop-${from}`,
    from,
    to: OURS,
    text: 'STOP',
    media: [],
    receivedAt: new Date(),
  });

const remove = (conversation: Conversation, id: string) =>
  stack.people.owner('DELETE', `/texting/conversations/${conversation.id}/messages/${id}`);

/** Like a worker that has just read what is next. */
async function handOverNext(text: Outbound): Promise<Ending['state']> {
  const { kernel } = stack.node;
  const { signal } = new AbortController();
  const commit: MailTurn['commit'] = (work) => kernel.transaction(work);
  const turn = {
    kernel,
    at: text.conversationId,
    signal,
    draining: signal,
    isOver: () => false,
    first: undefined,
    ensureLease: () => Promise.resolve(),
    commit,
    packet: () => Promise.resolve([]),
  };
  const parts = telephonyOf(kernel, stack.cluster.config());
  const ending = await handOver(parts, turn, text, { attempts: 0, ageMs: 0 });
  await kernel.transaction(async (tx) => ending.write?.(tx));
  return ending.state;
}

const waiting = async (textId: string): Promise<Outbound | undefined> => {
  const { mysql } = stack.node.kernel;
  const [id] = (await mysql('tel_text_sends').where({ text_id: textId }).pluck('id')) as [SendId];
  return outbound(mysql, id);
};

async function begun(words: string) {
  const to = somebody();
  const conversation = await stack.converse(OURS, to);
  const id = await conversation.send(words);
  const text = (await waiting(id))!;
  const callOff = (how: string) => (how === 'stopped' ? stop(to) : remove(conversation, id));
  return { to, conversation, id, text, callOff };
}

const stored = (id: string) =>
  stack.node.kernel
    .mysql('tel_texts as t')
    .join('tel_text_sends as s', 's.text_id', 't.id')
    .where('t.id', id)
    .first('t.status', 't.deleted_at', 't.error_code', { copy: 's.status', name: 's.carrier_message_id' });

const HOW = ['deleted', 'stopped'];

test.each(HOW)('A text that is %s after a worker read it is not handed over to the carrier', async (how) => {
  const { to, text, callOff } = await begun('too late');
  await callOff(how);
  expect(await handOverNext(text)).toBe('done');
  expect(takenFor(to)).toEqual([]);
});

describe.each(HOW)('Texts that are %s while the carrier is called', (how) => {
  test('A text called off during the call that the carrier accepts anyway follows the status of the carrier', async () => {
    const { to, conversation, id, text, callOff } = await begun('in the air');
    stack.carrier.mood(async () => {
      await callOff(how);
      return undefined;
    });
    expect(await handOverNext(text)).toBe('done');
    const [{ messageId } = { messageId: '' }] = takenFor(to);
    const deleted = how === 'deleted' ? expect.any(Date) : null;
    const taken = { status: 'sent', copy: 'sent', name: messageId, error_code: '', deleted_at: deleted };
    expect(await stored(id)).toEqual(taken);
    const receipt = { carrierAccountId: account.id, carrierMessageId: messageId, at: new Date() };
    expect(await recordReceipt(stack.node.kernel.transaction, { ...receipt, status: 'delivered' })).toBe('recorded');
    expect(await stored(id)).toEqual({ ...taken, status: 'delivered', copy: 'delivered' });
    const shown = (await conversation.messages()).filter((each) => each.id === id);
    expect(shown).toMatchObject(how === 'deleted' ? [] : [{ status: 'delivered', error: null }]);
  });

  test('A text called off during the call that the carrier refuses stays failed and is not handed over again', async () => {
    const { to, id, text, callOff } = await begun('not taken');
    stack.carrier.mood(async () => {
      await callOff(how);
      return { status: 503 };
    });
    expect(await handOverNext(text)).toBe('pending');
    const code = how === 'deleted' ? 'DELETED' : 'OPTED_OUT';
    expect(await stored(id)).toMatchObject({ status: 'failed', copy: 'failed', name: null, error_code: code });
    expect(await waiting(id)).toBeUndefined();
    expect(takenFor(to)).toEqual([]);
  });
});

test('A text that a carrier has accepted can no longer be called off', async () => {
  const { id, text } = await begun('taken');
  expect(await handOverNext(text)).toBe('done');
  const error = { code: 'OPTED_OUT', detail: 'They opted out' };
  const outcome = { carrierMessageId: '', status: 'failed', error } as const;
  // Like a user who saw it waiting a moment ago.
  const recorded = stack.node.kernel.transaction(({ db }) => recordOutcome(db, text.id, outcome));
  expect(await recorded).toBe('stale');
  expect(await stored(id)).toMatchObject({ status: 'sent', copy: 'sent' });
});

test('A text that waits for another attempt is not handed over after its recipient opts out', async () => {
  const to = somebody();
  const conversation = await stack.converse(OURS, to);
  stack.carrier.mood({ status: 503 }, 1);
  const id = await conversation.send('again and again');
  await startWorkers(stack.cluster, 'texting-outbound');
  const tried = () => stack.node.kernel.mysql('kernel_mail').where({ address: conversation.id }).pluck('attempts');
  await until(tried, ([attempts]) => attempts === 1);
  await stop(to);
  expect(await conversation.reaches(id, 'failed')).toMatchObject({ error: { code: 'OPTED_OUT' } });
  // The next one has been sent, so everything before it has been handled.
  const other = somebody();
  const later = await stack.converse(OURS, other);
  await later.reaches(await later.send('hello'), 'sent');
  expect(takenFor(to)).toEqual([]);
});

test('A text that waits behind one with another attempt due is sent as soon as that one is deleted', async () => {
  const conversation = await stack.converse(OURS, somebody());
  const { mysql } = stack.node.kernel;
  stack.carrier.mood({ status: 503 }, 1);
  const first = await conversation.send('first');
  const mail = () => mysql('kernel_mail').where({ address: conversation.id, state: 'pending' });
  await until(
    () => mail().pluck('attempts'),
    ([attempts]) => attempts === 1,
  );
  await mail().update({ due_at: mysql.raw('NOW(3) + INTERVAL 1 HOUR') });
  const second = await conversation.send('second');
  await remove(conversation, first);
  await conversation.reaches(second, 'sent');
});
