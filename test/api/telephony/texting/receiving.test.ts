import { receiveText } from '../../../../src/telephony/commands/texting/receive-text';
import type { CarrierAccountId } from '../../../../src/telephony/model/texting/texting';
import { OURS, openTexting, STRANGERS, type Texting } from '../../../support/telephony/texting';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';

const conversationsWith = async (number: string) => {
  const { body } = await texting.people.owner('GET', `${PATH}?contact=${number}`);
  return body as { id: string }[];
};

test('A text from a new number starts a conversation, and both are published in this order, as REST shows them', async () => {
  const { people, ids } = texting;
  const from = texting.someone();
  const published = await texting.publishedBy(ids.one, async () => {
    expect(await texting.receive({ from, text: 'Hello there' })).toBe('received');
  });
  expect(published.map(({ name }) => name)).toEqual(['texting.chat.new', 'texting.message.new']);
  const [chat, message] = published.map(({ payload }) => payload);
  expect(chat).toMatchObject({ company_id: ids.one, from_number: OURS, conversation_type: 'direct' });
  // As it was when it started: the message comes next.
  expect(chat).toMatchObject({ unread_msg_count: 0, lastmessage: null, contactinfo: { number: from } });
  expect(message).toMatchObject({
    conversation_id: chat.id,
    direction: 'inbound',
    status: 'received',
    text: 'Hello there',
    is_read: false,
    user_id: null,
    stamp_id: null,
    contact: { number: from },
  });
  const shown = await people.owner('GET', `${PATH}/${chat.id}/messages`);
  expect(shown.body).toEqual([message]);
  const { body } = await people.owner('GET', `${PATH}/${chat.id}`);
  expect(body).toMatchObject({ unread_msg_count: 1, countunreadmessages: 1, lastmessage: message });
});

test('Numbers are understood however the carrier writes them', async () => {
  const from = texting.someone();
  await texting.receive({ from, text: 'one' });
  await texting.receive({ from: from.slice(1), to: OURS, text: 'two' });
  await texting.receive({ from: from.slice(2), to: OURS, text: 'three' });
  const found = await conversationsWith(from);
  expect(found).toHaveLength(1);
  expect((await texting.people.owner('GET', `${PATH}/${found[0]!.id}/messages`)).body).toHaveLength(3);
});

test('Texts that arrive at once from one new number create one conversation and one contact', async () => {
  for (let round = 0; round < 5; round += 1) {
    const from = texting.someone();
    const published = await texting.publishedBy(texting.ids.one, async () => {
      const results = await Promise.all([1, 2, 3, 4].map((at) => texting.receive({ from, text: `text ${at}` })));
      expect(results).toEqual(['received', 'received', 'received', 'received']);
    });
    const names = published.map(({ name }) => name);
    expect(names).toEqual(['texting.chat.new', ...Array<string>(4).fill('texting.message.new')]);
    const [only, ...others] = await conversationsWith(from);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ unread_msg_count: 4 });
    const rows = (await texting.kernel.mysql('tel_texts').where({ conversation_id: only!.id }).orderBy('seq')) as {
      seq: number;
      inbound_seq: number;
    }[];
    expect(rows.map(({ seq, inbound_seq }) => [seq, inbound_seq])).toEqual([1, 2, 3, 4].map((at) => [at, at]));
  }
});

test('A text that the carrier delivers again, even at once, is received once', async () => {
  const from = texting.someone();
  const same = { from, carrierMessageId: `same-${from}` };
  const published = await texting.publishedBy(texting.ids.one, async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => texting.receive(same)));
    expect(results.filter((result) => result === 'received')).toHaveLength(1);
    expect(results.filter((result) => result === 'duplicate')).toHaveLength(4);
    expect(await texting.receive(same)).toBe('duplicate');
  });
  expect(published).toHaveLength(2);
  // Another account may use the same id for another text.
  expect(await texting.receive({ ...same, to: STRANGERS })).toBe('received');
});

test('A carrier may use any id for a text', async () => {
  for (const carrierMessageId of ['ключ', 'Key', 'key', '👍'.repeat(60)]) {
    expect(await texting.receive({ carrierMessageId, text: '👍 ключ' })).toBe('received');
    expect(await texting.receive({ carrierMessageId })).toBe('duplicate');
  }
});

test('A text that arrives while a user starts the conversation joins that conversation', async () => {
  for (let round = 0; round < 5; round += 1) {
    const from = texting.someone();
    const [, id] = await Promise.all([texting.receive({ from }), texting.begin(from)]);
    expect(await conversationsWith(from)).toMatchObject([{ id }]);
  }
});

test('A text that arrives after its conversation was deleted starts a new one', async () => {
  const from = texting.someone();
  await texting.receive({ from });
  const [first] = await conversationsWith(from);
  await texting.people.owner('DELETE', `${PATH}/${first!.id}`);
  const published = await texting.publishedBy(texting.ids.one, () => texting.receive({ from, text: 'again' }));
  expect(published.map(({ name }) => name)).toEqual(['texting.chat.new', 'texting.message.new']);
  const [second] = await conversationsWith(from);
  expect(second!.id).not.toBe(first!.id);
  expect(second).toMatchObject({ unread_msg_count: 1 });
});

test('A carrier account cannot deliver texts to numbers of another account, nor to values that are no numbers', async () => {
  const { kernel, ids } = texting;
  const { carrier_account_id: strangers } = (await kernel
    .mysql('tel_text_numbers')
    .where({ e164: STRANGERS })
    .first('carrier_account_id')) as { carrier_account_id: CarrierAccountId };
  const text = { text: 'x', media: [], receivedAt: new Date(), carrierMessageId: 'm' };
  const from = texting.someone();
  const published = await texting.publishedBy(ids.one, async () => {
    const refusal = (of: { from: string; to: string }) =>
      receiveText(kernel, { ...text, carrierAccountId: strangers, ...of });
    expect(await refusal({ from, to: OURS })).toEqual({ refused: `to: ${OURS} is no number of this account` });
    expect(await refusal({ from, to: '+15550100099' })).toMatchObject({
      refused: expect.stringMatching(/no number of this account/),
    });
    expect(await refusal({ from: 'ALERT', to: STRANGERS })).toMatchObject({
      refused: expect.stringMatching(/^from: "ALERT"/),
    });
    expect(await refusal({ from, to: '' })).toMatchObject({ refused: expect.stringMatching(/^to: ""/) });
  });
  expect(published).toEqual([]);
});

test('Sent and received texts of a conversation share one count, and received texts also have their own', async () => {
  const from = texting.someone();
  const id = await texting.begin(from);
  await Promise.all([
    ...Array.from({ length: 4 }, () => texting.receive({ from })),
    ...Array.from({ length: 4 }, () => texting.send(id, 'out')),
  ]);
  const rows = (await texting.kernel.mysql('tel_texts').where({ conversation_id: id }).orderBy('seq')) as {
    seq: number;
    inbound_seq: number | null;
  }[];
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(rows.flatMap(({ inbound_seq }) => inbound_seq ?? [])).toEqual([1, 2, 3, 4]);
});
