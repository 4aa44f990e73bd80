import { OURS, openTexting, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';
const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const LISTS = [PATH, '/texting/v2/conversations'];

describe.each(LISTS.flatMap((list) => [`${list}/{id}/messages`, `${list}/{id}/messages/publish`]))(
  'POST %s',
  (pattern) => {
    test('POST queues a message, echoes its stamp, publishes it to the company, and hands it to the worker', async () => {
      const { people, ids, kernel } = texting;
      const number = texting.someone();
      const conversation = await texting.begin(number);
      const path = pattern.replace('{id}', conversation);
      const draft = {
        text: 'Hello €',
        files: [],
        stamp_id: 'stamp-1',
        created_at: '2020-01-01T00:00:00Z',
        with_warning: false,
      };
      const published = await texting.publishedBy(ids.one, () => people.member('POST', path, draft));
      expect(published).toHaveLength(1);
      const [{ name, payload }] = published as [{ name: string; payload: Record<string, unknown> }];
      expect(name).toBe('texting.message.new');
      expect(payload).toEqual({
        id,
        company_id: ids.one,
        conversation_id: conversation,
        conversation_type: 'direct',
        campaign_info: null,
        direction: 'outbound',
        text: 'Hello €',
        files: [],
        from_number: OURS,
        contact: { id, company_id: ids.one, first_name: '', last_name: '', number, created_at: date, updated_at: date },
        user_id: people.ids.member,
        stamp_id: 'stamp-1',
        status: 'queued',
        segments: 1,
        error: null,
        is_read: true,
        created_at: date,
        updated_at: date,
      });
      // The server sets its time, not the client.
      expect(payload['created_at']).not.toMatch(/^2020/);
      const again = await people.member('POST', path, draft);
      expect(again).toMatchObject({ status: 201, body: { id: payload['id'] } });
      expect(again.body).toEqual(payload);
      expect(
        await kernel.mysql('kernel_mail').where({ mailbox: 'texting-outbound', address: conversation }),
      ).toHaveLength(1);
    });
  },
);

const messagesOf = (conversation: string) => `${PATH}/${conversation}/messages`;

describe('POST messages', () => {
  test('The same stamp or key gives the same message, even twice at once, and another text under it is refused', async () => {
    const { people, ids, kernel } = texting;
    const conversation = await texting.begin();
    const path = messagesOf(conversation);
    const published = await texting.publishedBy(ids.one, async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => people.owner('POST', path, { text: 'once', stamp_id: 's' })),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
      const headers = { 'Idempotency-Key': 'k' };
      const keyed = () => people.owner('POST', path, { text: 'twice' }, { headers });
      const [first, second] = await Promise.all([keyed(), keyed()]);
      expect(first.body).toEqual(second.body);
      const other = await people.owner('POST', path, { text: 'else' }, { headers });
      expect(other).toMatchObject(problem(400));
      expect(other.body.detail).toContain('Idempotency-Key');
      const stamped = await people.owner('POST', path, { text: 'else', stamp_id: 's' });
      expect(stamped.body.detail).toContain('stamp_id');
    });
    expect(published.map(({ payload }) => payload.text)).toEqual(['once', 'twice']);
    // A stamp belongs to one user and one conversation.
    expect((await people.member('POST', path, { text: 'mine', stamp_id: 's' })).status).toBe(201);
    expect((await texting.send(await texting.begin(), 'there', { stamp_id: 's' })).status).toBe(201);
    const rows = (await kernel.mysql('tel_texts').where({ conversation_id: conversation }).orderBy('seq')) as {
      seq: number;
    }[];
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('A message that was deleted does not come back by its stamp', async () => {
    const conversation = await texting.begin();
    const { body } = await texting.send(conversation, 'gone', { stamp_id: 'x' });
    await texting.people.owner('DELETE', `${messagesOf(conversation)}/${body.id}`);
    expect(await texting.send(conversation, 'gone', { stamp_id: 'x' })).toMatchObject(problem(404));
  });

  test('A message has a count of its segments, and warnings if asked for', async () => {
    const conversation = await texting.begin();
    const { body } = await texting.send(conversation, 'я'.repeat(71), { with_warning: true });
    expect(body).toMatchObject({ segments: 2, warnings: [expect.stringContaining('2 parts'), expect.any(String)] });
    expect((await texting.send(conversation, 'short', { with_warning: true })).body.warnings).toEqual([]);
    expect((await texting.send(conversation, 'short')).body).not.toHaveProperty('warnings');
    expect((await texting.send(conversation, 'x'.repeat(1600))).body).toMatchObject({ segments: 11 });
  });

  test.each([
    ['nothing', {}],
    ['blanks', { text: ' \n' }],
    ['null', { text: null }],
    ['too much', { text: 'x'.repeat(1601) }],
    ['what is no text', { text: 5 }],
    ['files that are not there', { text: 'x', files: ['nowhere'] }],
    ['too many files', { text: 'x', files: Array.from({ length: 11 }, (_, at) => String(at)) }],
    ['what are no files', { text: 'x', files: 'all' }],
    ['a long stamp', { text: 'x', stamp_id: 'x'.repeat(101) }],
    ['what is no date', { text: 'x', created_at: 'soon' }],
  ])('POST of a message is refused: %s', async (_, draft) => {
    const conversation = await texting.begin();
    const published = await texting.publishedBy(texting.ids.one, async () => {
      expect(await texting.people.owner('POST', messagesOf(conversation), draft)).toMatchObject(problem(400));
    });
    expect(published).toEqual([]);
  });

  test('POST of a message is refused for an unknown conversation and for a number the company no longer has', async () => {
    expect(await texting.send('nowhere', 'x')).toMatchObject(problem(404));
    const conversation = await texting.begin();
    const moved = texting.kernel.mysql('tel_conversations').where({ id: conversation });
    await moved.update({ from_number: '+15550100099' });
    const answer = await texting.send(conversation, 'x');
    expect(answer).toMatchObject(problem(400));
    expect(answer.body.detail).toContain('+15550100099');
  });

  test('A message to a group is sent as one copy per member, in order', async () => {
    const numbers = [texting.someone(), texting.someone(), texting.someone()];
    const draft = { recipients: numbers, from_number: OURS, conversation_type: 'campaign', name: 'Sale' };
    const { body } = await texting.people.owner('POST', PATH, draft);
    const { body: message } = await texting.send(body.id, 'to all');
    expect(message).toMatchObject({ conversation_type: 'campaign', campaign_info: { name: 'Sale' } });
    expect(message.contact).toEqual(body.contactinfo);
    const sends = await texting.kernel.mysql('tel_text_sends').where({ text_id: message.id }).orderBy('position');
    expect(sends.map((each: { to_number: string }) => each.to_number)).toEqual(numbers);
  });

  test('A conversation takes the timezone of the sender', async () => {
    const { people } = texting;
    await people.owner('PATCH', `/company/contacts/${people.ids.member}`, { timezone: 'America/New_York' });
    const conversation = await texting.begin();
    await people.member('POST', messagesOf(conversation), { text: 'x' });
    expect((await people.owner('GET', `${PATH}/${conversation}`)).body).toMatchObject({ timezone: 'America/New_York' });
  });

  test('Messages that are sent at once get one order, with a number each', async () => {
    const conversation = await texting.begin();
    await Promise.all(Array.from({ length: 12 }, (_, at) => texting.send(conversation, `${at}`)));
    const { body } = await texting.people.owner('GET', messagesOf(conversation));
    const rows = (await texting.kernel
      .mysql('tel_texts')
      .where({ conversation_id: conversation })
      .orderBy('seq', 'desc')) as {
      id: string;
      seq: number;
    }[];
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, at) => 12 - at));
    expect(body.map((each: { id: string }) => each.id)).toEqual(rows.map((row) => row.id));
  });
});

describe('GET messages', () => {
  let conversation: string;
  let ids: string[];
  const list = async (query = '', path = messagesOf(conversation)) => {
    const answer = await texting.people.owner('GET', `${path}${query}`);
    return { ...answer, ids: (answer.body as { id: string }[]).map((each) => each.id) };
  };

  beforeAll(async () => {
    conversation = await texting.begin();
    ids = [];
    for (let at = 0; at < 5; at += 1) ids.unshift((await texting.send(conversation, `text ${at}`)).body.id);
  });

  test.each(LISTS)('Messages are listed newest first, by page (%s)', async (path) => {
    const at = `${path}/${conversation}/messages`;
    expect((await list('', at)).ids).toEqual(ids);
    const page = await list('?page=2&per_page=2', at);
    expect(page.ids).toEqual(ids.slice(2, 4));
    expect(page.headers.get('X-Pagination-Total-Count')).toBe('5');
    expect(page.headers.get('X-Pagination-Page-Count')).toBe('3');
    expect((await list('?page=4&per_page=2', at)).body).toEqual([]);
  });

  test('The list of messages continues before and after a given message', async () => {
    expect((await list(`?before=${ids[1]}`)).ids).toEqual(ids.slice(2));
    expect((await list(`?before=${ids[1]}&per_page=1`)).ids).toEqual([ids[2]]);
    expect((await list(`?after=${ids[3]}`)).ids).toEqual(ids.slice(0, 3));
    // The texts that follow directly, not the newest of all.
    expect((await list(`?after=${ids[3]}&per_page=2`)).ids).toEqual(ids.slice(1, 3));
    expect((await list(`?after=${ids[4]}&before=${ids[0]}`)).ids).toEqual(ids.slice(1, 4));
    expect((await list(`?after=${ids[0]}`)).body).toEqual([]);
    for (const query of ['?before=nothing', '?after=nothing']) {
      expect(await texting.people.owner('GET', `${messagesOf(conversation)}${query}`)).toMatchObject(problem(404));
    }
  });

  test('The list of messages gets 404 for an unknown conversation and 400 for a bad page', async () => {
    expect(await texting.people.owner('GET', messagesOf('nowhere'))).toMatchObject(problem(404));
    expect(await texting.people.owner('GET', `${messagesOf(conversation)}?page=0`)).toMatchObject(problem(400));
  });
});
