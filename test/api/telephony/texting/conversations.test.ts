import { forgetConversation } from '../../../../src/telephony/commands/texting/delete-texts';
import { OURS, openTexting, STRANGERS, type Texting } from '../../../support/telephony/texting';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';
const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

const contactOf = (number: string, more = {}) => ({
  id,
  company_id: texting.ids.one,
  first_name: '',
  last_name: '',
  number,
  created_at: date,
  updated_at: date,
  ...more,
});

describe.each([PATH, '/texting/v2/conversations'])('POST %s', (path) => {
  test('POST creates a direct conversation with every field of the specification, and publishes it to the company', async () => {
    const { people, ids } = texting;
    const number = texting.someone();
    const draft = { recipients: [{ number: number.slice(2) }], from_number: OURS, conversation_type: 'direct' };
    let made: Awaited<ReturnType<typeof people.owner>> | undefined;
    const published = await texting.publishedBy(ids.one, async () => (made = await people.member('POST', path, draft)));
    expect(made).toMatchObject({ status: 201 });
    expect(made!.body).toEqual({
      id,
      company_id: ids.one,
      contact_id: made!.body.contactinfo.id,
      contactinfo: contactOf(number),
      contactsinfo: [contactOf(number)],
      conversation_type: 'direct',
      name: '',
      campaign_info: null,
      countunreadmessages: 0,
      unread_msg_count: 0,
      from_number: OURS,
      has_direct_msg: false,
      has_hidden_msg: false,
      last_message_created_at: null,
      lastmessage: null,
      last_msg: null,
      recipients: [made!.body.contact_id],
      timezone: 'UTC',
      pin: false,
      created_at: date,
      updated_at: date,
    });
    expect(published).toEqual([{ name: 'texting.chat.new', payload: made!.body }]);
    expect((await people.owner('GET', `${path}/${made!.body.id}`)).body).toEqual(made!.body);
  });

  test('POST returns a direct conversation that already exists, and publishes nothing', async () => {
    const number = texting.someone();
    const first = await texting.people.owner('POST', path, { recipients: [{ number }], from_number: OURS });
    const published = await texting.publishedBy(texting.ids.one, async () => {
      const again = await texting.people.member('POST', path, { recipients: [number] });
      expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
      const contact = { recipients: [{ id: first.body.contact_id }], from_number: OURS.slice(1) };
      expect(await texting.people.owner('POST', path, contact)).toMatchObject({
        status: 200,
        body: { id: first.body.id },
      });
    });
    expect(published).toEqual([]);
  });

  test.each(['group', 'campaign'])('POST creates a %s of 2 to 10 different people', async (type) => {
    const people = Array.from({ length: 10 }, () => ({ number: texting.someone() }));
    const draft = { recipients: people, from_number: OURS, conversation_type: type, name: 'Friends' };
    const { status, body } = await texting.people.owner('POST', path, draft);
    expect(status).toBe(201);
    expect(body).toMatchObject({ conversation_type: type, name: 'Friends' });
    expect(body.campaign_info).toEqual(type === 'campaign' ? { name: 'Friends' } : null);
    expect(body.contactsinfo.map(({ number }: { number: string }) => number)).toEqual(
      people.map(({ number }) => number),
    );
    const again = await texting.people.owner('POST', path, draft);
    expect(again.body.id).not.toBe(body.id);
    const eleven = [...people, { number: texting.someone() }];
    expect(await texting.people.owner('POST', path, { ...draft, recipients: eleven })).toMatchObject(problem(400));
    const twice = [people[0], people[0]];
    expect(await texting.people.owner('POST', path, { ...draft, recipients: twice })).toMatchObject(problem(400));
  });

  test('POST with several people and no type creates a group', async () => {
    const recipients = [texting.someone(), texting.someone()];
    const { body } = await texting.people.owner('POST', path, { recipients, from_number: OURS });
    expect(body).toMatchObject({ conversation_type: 'group' });
  });
});

test('A group that is ordered with an Idempotency-Key is created once, even by two orders at once', async () => {
  const { people, ids } = texting;
  const draft = { recipients: [texting.someone(), texting.someone()], from_number: OURS, name: 'Once' };
  const order = (more = {}, by = people.owner) =>
    by('POST', PATH, { ...draft, ...more }, { headers: { 'Idempotency-Key': 'group-1' } });
  const published = await texting.publishedBy(ids.one, async () => {
    const answers = await Promise.all([order(), order(), order()]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await order({ name: 'Another' })).toMatchObject(problem(400));
  });
  expect(published).toHaveLength(1);
  expect((await order({}, people.member)).status).toBe(201);
});

describe('Refusals of POST', () => {
  const someone = '+15550109999';
  test.each([
    ['nobody', {}, 'recipients: is required'],
    ['an empty list', { recipients: [] }, 'recipients: must not be empty'],
    ['what is no number', { recipients: [{ number: '12' }] }, 'recipients'],
    ['what is no recipient', { recipients: [{}] }, 'recipients'],
    ['two in a direct one', { recipients: [someone, '+15550109998'], conversation_type: 'direct' }, 'has one'],
    ['one in a group', { recipients: [someone], conversation_type: 'group' }, '2 to 10'],
    ['an unknown type', { recipients: [someone], conversation_type: 'secret' }, 'conversation_type'],
    ['its own number', { recipients: [OURS], from_number: OURS }, 'from_number'],
    [
      "another company's number",
      { recipients: [someone], from_number: STRANGERS },
      `${STRANGERS} is no texting number`,
    ],
    ['a number that is none', { recipients: [someone], from_number: 'x' }, 'from_number'],
    ['a long name', { recipients: [someone], name: 'x'.repeat(101) }, 'name'],
  ])('POST of a conversation is refused: %s', async (_, draft, detail) => {
    const answer = await texting.people.owner('POST', PATH, { from_number: OURS, ...draft });
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toContain(detail);
  });

  test('POST of a conversation is refused if the company must choose a number or has none', async () => {
    const { kernel, ids } = texting;
    const second = { e164: '+15550100011', company_id: ids.one, carrier_account_id: 'x', created_at: new Date() };
    await kernel.mysql('tel_text_numbers').insert(second);
    const answer = await texting.people.owner('POST', PATH, { recipients: [someone] });
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toContain('from_number: is required');
    await kernel.mysql('tel_text_numbers').where({ e164: '+15550100011' }).delete();
  });

  test('POST of a conversation gets 404 for a texting contact that is unknown or of another company', async () => {
    const other = await texting.people.stranger('POST', '/texting/contacts', { number: texting.someone() });
    for (const unknown of ['nobody', other.body.id]) {
      const draft = { recipients: [{ id: unknown }], from_number: OURS };
      expect(await texting.people.owner('POST', PATH, draft)).toMatchObject(problem(404));
    }
  });
});

describe('DELETE', () => {
  test.each([PATH, '/texting/v2/conversations'])(
    'DELETE %s/{id} deletes a conversation for everyone, once, and publishes it',
    async (path) => {
      const { people, ids } = texting;
      const number = texting.someone();
      const conversation = await texting.begin(number);
      await texting.send(conversation, 'hello');
      const published = await texting.publishedBy(ids.one, async () => {
        const gone = await people.member('DELETE', `${path}/${conversation}`);
        expect(gone).toMatchObject({ status: 200, body: { id: conversation } });
      });
      expect(published).toEqual([{ name: 'texting.chat.delete', payload: { id: conversation } }]);
      for (const [method, rest] of [
        ['DELETE', ''],
        ['GET', ''],
        ['GET', '/messages'],
      ] as const) {
        expect(await people.owner(method, `${path}/${conversation}${rest}`)).toMatchObject(problem(404));
      }
      expect(await people.owner('POST', `${path}/${conversation}/pin`, { pin: true })).toMatchObject(problem(404));
      const again = await texting.begin(number);
      expect(again).not.toBe(conversation);
      expect((await people.owner('GET', `${path}/${again}/messages`)).body).toEqual([]);
    },
  );

  test('A text that waits to be sent is not sent after its conversation is deleted', async () => {
    const conversation = await texting.begin();
    await texting.send(conversation, 'never mind');
    await texting.people.owner('DELETE', `${PATH}/${conversation}`);
    const sends = await texting.kernel.mysql('tel_text_sends').where({ conversation_id: conversation });
    expect(sends).toMatchObject([{ status: 'failed', error_code: 'DELETED' }]);
  });
});

test('A worker empties a deleted conversation, a few texts at a time', async () => {
  const { kernel, people } = texting;
  const from = texting.someone();
  const conversation = await texting.begin(from);
  const kept = await texting.begin();
  await texting.send(kept, 'kept');
  await texting.send(conversation, 'out');
  await texting.receive({ from, text: 'in' });
  // A conversation that was not deleted is not emptied by mistake.
  expect(await forgetConversation(kernel, kept)).toMatchObject({ state: 'dropped' });
  await startWorkers(texting.cluster, 'texting-forget');
  await people.owner('DELETE', `${PATH}/${conversation}`);
  const texts = (id: string) => kernel.mysql('tel_texts').where({ conversation_id: id }).pluck('text');
  expect(
    await until(
      () => texts(conversation),
      (left) => left.every((text) => text === ''),
    ),
  ).toHaveLength(2);
  expect(await texts(kept)).toEqual(['kept']);
});

describe('POST …/pin', () => {
  test.each([PATH, '/texting/v2/conversations'])(
    'POST %s/{id}/pin puts a conversation on top of the caller’s own list only',
    async (path) => {
      const { people } = texting;
      const conversation = await texting.begin();
      await texting.begin();
      const pin = (isPinned: unknown) => people.owner('POST', `${path}/${conversation}/pin`, { pin: isPinned });
      expect(await pin(true)).toMatchObject({ status: 200, body: { id: conversation, pin: true } });
      expect(await pin(true)).toMatchObject({ status: 200 });
      expect((await people.owner('GET', path)).body[0]).toMatchObject({ id: conversation, pin: true });
      expect((await people.member('GET', path)).body[0].id).not.toBe(conversation);
      expect((await people.member('GET', `${path}/${conversation}`)).body).toMatchObject({ pin: false });
      expect(await pin(false)).toMatchObject({ body: { pin: false } });
      expect((await people.owner('GET', path)).body[0].id).not.toBe(conversation);
      for (const bad of ['perhaps', undefined, 3]) expect(await pin(bad)).toMatchObject(problem(400));
    },
  );
});
