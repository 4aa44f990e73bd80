import { optOut } from '../../../../src/telephony/commands/texting/change-opt-outs';
import { untilSomebodyWaits } from '../../../support/kernel/lock-waits';
import { OURS, openTexting, STRANGERS, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/optouts';

describe('Opting out by a word', () => {
  test('STOP is shown like any other text, later texts to that pair of numbers get 400 that names it, and START ends it', async () => {
    const { people, ids } = texting;
    const from = texting.someone();
    const conversation = await texting.begin(from);
    const published = await texting.publishedBy(ids.one, () => texting.receive({ from, text: ' stop ' }));
    expect(published).toMatchObject([
      { name: 'texting.message.new', payload: { text: ' stop ', direction: 'inbound' } },
    ]);
    const refused = await texting.send(conversation, 'but listen');
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain(from);
    expect(refused.body.detail).toContain(OURS);
    expect((await people.owner('GET', `${PATH}?number=${from}`)).body).toMatchObject([{ source: 'text' }]);
    await texting.receive({ from, text: 'STOP' });
    await texting.receive({ from, text: 'Start' });
    expect((await texting.send(conversation, 'thank you')).status).toBe(201);
    expect((await people.owner('GET', `${PATH}?number=${from}`)).body).toEqual([]);
  });

  test('STOP opts out only when it is the whole text', async () => {
    const from = texting.someone();
    const conversation = await texting.begin(from);
    await texting.receive({ from, text: 'STOP PLEASE' });
    expect((await texting.send(conversation, 'still here')).status).toBe(201);
  });

  test('STOP holds for the pair of numbers, not for other numbers of the company or for other companies', async () => {
    const from = texting.someone();
    await texting.receive({ from, text: 'STOP' });
    const draft = { recipients: [from], from_number: STRANGERS };
    const { body } = await texting.people.stranger('POST', '/texting/conversations', draft);
    const sent = await texting.people.stranger('POST', `/texting/conversations/${body.id}/messages`, { text: 'hi' });
    expect(sent.status).toBe(201);
    expect((await texting.people.stranger('GET', PATH)).body).toEqual([]);
  });

  test('A text to a group with a member who opted out is refused, and the member is named', async () => {
    const [one, two] = [texting.someone(), texting.someone()];
    const draft = { recipients: [one, two], from_number: OURS };
    const { body } = await texting.people.owner('POST', '/texting/conversations', draft);
    await texting.receive({ from: two, text: 'QUIT' });
    const answer = await texting.send(body.id, 'all of you');
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toContain(two);
    expect(answer.body.detail).not.toContain(one);
  });

  test('A text that waits when its recipient opts out is not sent, in a group either, while copies for others are', async () => {
    const [one, two] = [texting.someone(), texting.someone()];
    const direct = await texting.begin(two);
    const { body: group } = await texting.people.owner('POST', '/texting/conversations', { recipients: [one, two] });
    await texting.send(direct, 'alone');
    const { body: both } = await texting.send(group.id, 'together');
    await texting.receive({ from: two, text: 'STOP' });
    const { kernel } = texting;
    const sends = (id: string) => kernel.mysql('tel_text_sends').where({ conversation_id: id }).orderBy('position');
    expect(await sends(direct)).toMatchObject([{ status: 'failed', error_code: 'OPTED_OUT' }]);
    expect(await sends(group.id)).toMatchObject([{ status: 'queued' }, { status: 'failed' }]);
    expect(await kernel.mysql('tel_texts').where({ id: both.id })).toMatchObject([{ status: 'queued' }]);
    const [alone] = (await texting.people.owner('GET', `/texting/conversations/${direct}/messages`)).body.slice(1);
    expect(alone).toMatchObject({ status: 'failed', error: { code: 'OPTED_OUT', detail: expect.any(String) } });
  });

  test('An opt-out during the sending of a text to a group is respected, whichever comes first', async () => {
    const [one, two] = [texting.someone(), texting.someone()];
    const { body: group } = await texting.people.owner('POST', '/texting/conversations', { recipients: [one, two] });
    const { kernel, ids } = texting;
    const pair = { companyId: ids.one, ourNumber: OURS, theirNumber: two };
    let late: Promise<{ status: number }> | undefined;
    await kernel.transaction(async (tx) => {
      await optOut(tx, pair, 'text');
      let isAnswered = false;
      late = texting.send(group.id, 'during').finally(() => (isAnswered = true));
      await untilSomebodyWaits(kernel.mysql);
      expect(isAnswered).toBe(false);
    });
    expect((await late)!.status).toBe(400);
    await texting.receive({ from: two, text: 'START' });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([texting.send(group.id, `round ${round}`), texting.receive({ from: two, text: 'STOP' })]);
      const left = await kernel.mysql('tel_text_sends').where({ to_number: two, status: 'queued' });
      expect(left).toEqual([]);
      await texting.receive({ from: two, text: 'START' });
    }
  });

  test('HELP is answered by a text of its own, even to a number that opted out', async () => {
    const from = texting.someone();
    const conversation = await texting.begin(from);
    await texting.receive({ from, text: 'STOP' });
    const published = await texting.publishedBy(texting.ids.one, () => texting.receive({ from, text: 'Help' }));
    expect(published.map(({ name, payload }) => [name, payload.direction])).toEqual([
      ['texting.message.new', 'inbound'],
      ['texting.message.new', 'outbound'],
    ]);
    expect(published[1]!.payload).toMatchObject({ user_id: null, status: 'queued', conversation_id: conversation });
    expect(published[1]!.payload.text).toContain('Example Telecom');
    expect(published[1]!.payload.text).toContain('STOP');
    const sends = await texting.kernel.mysql('tel_text_sends').where({ conversation_id: conversation });
    expect(sends).toMatchObject([{ status: 'queued', to_number: from }]);
  });
});

describe('/texting/optouts', () => {
  const add = (number: string, more: object = {}) =>
    texting.people.member('POST', PATH, { from_number: OURS, number, ...more });

  test('POST enters an opt-out once, and GET lists the newest first, by page', async () => {
    const [one, two] = [texting.someone(), texting.someone()];
    const made = await add(one);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      company_id: texting.ids.one,
      from_number: OURS,
      number: one,
      source: 'user',
      created_at: expect.any(String),
    });
    expect((await add(one)).body).toEqual(made.body);
    await add(two);
    const { body, headers } = await texting.people.owner('GET', `${PATH}?per_page=2`);
    expect(body.map((each: { number: string }) => each.number)).toEqual([two, one]);
    expect(Number(headers.get('X-Pagination-Total-Count'))).toBeGreaterThanOrEqual(2);
    expect((await texting.people.owner('GET', `${PATH}?number=${one}&from_number=${OURS}`)).body).toHaveLength(1);
    expect((await texting.send(await texting.begin(one), 'x')).status).toBe(400);
  });

  test.each([[{}], [{ number: 'x' }], [{ number: '+15550208888', from_number: STRANGERS }], [{ from_number: null }]])(
    'POST of an opt-out refuses %j',
    async (draft) => {
      expect(await texting.people.owner('POST', PATH, { from_number: OURS, ...draft })).toMatchObject(problem(400));
    },
  );

  test('DELETE removes an opt-out by id or by the two numbers, and only the owner may remove one made by STOP', async () => {
    const { people } = texting;
    const [one, two, three] = [texting.someone(), texting.someone(), texting.someone()];
    const { body } = await add(one);
    expect(await people.member('DELETE', `${PATH}/${body.id}`)).toMatchObject({ status: 200, body: { number: one } });
    expect(await people.member('DELETE', `${PATH}/${body.id}`)).toMatchObject(problem(404));
    await add(two);
    const query = `?from_number=${encodeURIComponent(OURS)}&number=${encodeURIComponent(two)}`;
    expect(await people.member('DELETE', `${PATH}${query}`)).toMatchObject({ status: 200, body: { number: two } });
    expect(await people.member('DELETE', `${PATH}${query}`)).toMatchObject(problem(404));
    expect(await people.member('DELETE', PATH)).toMatchObject(problem(400));
    await texting.receive({ from: three, text: 'STOP' });
    const pair = { from_number: OURS, number: three };
    expect(await people.member('DELETE', PATH, pair)).toMatchObject(problem(403));
    expect(await people.owner('DELETE', PATH, pair)).toMatchObject({ status: 200, body: { source: 'text' } });
    const audit = await texting.kernel.mysql('tel_audit').where({ action: 'optout.delete' });
    expect(audit).toHaveLength(3);
  });
});
