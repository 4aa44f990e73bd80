import { openTexting, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const LISTS = ['/texting/conversations', '/texting/v2/conversations'];

async function conversationWith(count: number): Promise<{ id: string; ids: string[] }> {
  const id = await texting.begin();
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push((await texting.send(id, `text ${at}`)).body.id);
  return { id, ids };
}

const leftIn = async (id: string) => {
  const { body } = await texting.people.owner('GET', `${LISTS[0]}/${id}/messages`);
  return (body as { id: string }[]).map((each) => each.id).reverse();
};

describe.each(LISTS)('DELETE %s/{id}/messages', (path) => {
  test('DELETE of one message deletes it for everyone, publishes it, and makes the one before the last message', async () => {
    const { people, ids: companies } = texting;
    const { id, ids } = await conversationWith(2);
    const published = await texting.publishedBy(companies.one, async () => {
      const gone = await people.member('DELETE', `${path}/${id}/messages/${ids[1]}`);
      expect(gone).toMatchObject({ status: 200, body: { id: ids[1], conversation_id: id } });
    });
    expect(published).toEqual([{ name: 'texting.message.delete', payload: { id: ids[1], conversation_id: id } }]);
    expect(await leftIn(id)).toEqual([ids[0]]);
    const { body } = await people.owner('GET', `${path}/${id}`);
    expect(body).toMatchObject({ lastmessage: { id: ids[0] }, last_msg: { text: 'text 0' }, has_hidden_msg: true });
    expect(await people.owner('DELETE', `${path}/${id}/messages/${ids[1]}`)).toMatchObject(problem(404));
    expect(await people.owner('DELETE', `${path}/${id}/messages/nothing`)).toMatchObject(problem(404));
    await people.owner('DELETE', `${path}/${id}/messages/${ids[0]}`);
    const empty = await people.owner('GET', `${path}/${id}`);
    expect(empty.body).toMatchObject({ lastmessage: null, last_message_created_at: null, has_direct_msg: false });
  });

  test.each([
    ['?ids=a,b', (a: string, b: string) => `?ids=${a},${b}`],
    ['?ids=a&ids=b', (a: string, b: string) => `?ids=${a}&ids=${b}`],
    ['?ids[]=a&ids[]=b', (a: string, b: string) => `?ids[]=${a}&ids[]=${b}`],
    ['?a&b', (a: string, b: string) => `?${a}&${b}`],
    ['?a,b', (a: string, b: string) => `?${a},${b}`],
    ['?0=a&1=b', (a: string, b: string) => `?0=${a}&1=${b}`],
  ])('DELETE with the query %s deletes several messages', async (_, query) => {
    const { id, ids } = await conversationWith(3);
    const published = await texting.publishedBy(texting.ids.one, async () => {
      const gone = await texting.people.owner('DELETE', `${path}/${id}/messages${query(ids[0]!, ids[2]!)}`);
      const expected = [ids[0], ids[2]].map((each) => ({ id: each, conversation_id: id }));
      expect(gone).toMatchObject({ status: 200, body: expected });
    });
    expect(published.map(({ name, payload }) => [name, payload.id])).toEqual([
      ['texting.message.delete', ids[0]],
      ['texting.message.delete', ids[2]],
    ]);
    expect(await leftIn(id)).toEqual([ids[1]]);
  });

  test('DELETE takes ids in the body, skips deleted ones, and refuses an empty list', async () => {
    const { people } = texting;
    const { id, ids } = await conversationWith(3);
    const at = `${path}/${id}/messages`;
    expect(await people.owner('DELETE', at, { messagesIds: [ids[0], ids[1]] })).toMatchObject({ status: 200 });
    const rest = await people.owner('DELETE', `${at}?ids=${ids.join(',')}`);
    expect(rest.body).toEqual([{ id: ids[2], conversation_id: id }]);
    expect(await people.owner('DELETE', `${at}?ids=${ids.join(',')}`)).toMatchObject(problem(404));
    for (const query of ['', '?ids=', '?ids=,']) {
      expect(await people.owner('DELETE', `${at}${query}`)).toMatchObject(problem(400));
    }
    expect(await people.owner('DELETE', `${at}?ids=some,words`)).toMatchObject(problem(404));
    expect(await people.owner('DELETE', `${path}/nowhere/messages?ids=${ids[0]}`)).toMatchObject(problem(404));
  });
});

test('DELETE of a message of another conversation gets 404', async () => {
  const [one, two] = [await conversationWith(1), await conversationWith(1)];
  const path = `${LISTS[0]}/${one.id}/messages`;
  expect(await texting.people.owner('DELETE', `${path}/${two.ids[0]}`)).toMatchObject(problem(404));
  expect(await leftIn(two.id)).toEqual(two.ids);
});

test('A deleted message that waits to be sent is not sent, and nothing of its text is kept', async () => {
  const { id, ids } = await conversationWith(1);
  await texting.people.owner('DELETE', `${LISTS[0]}/${id}/messages/${ids[0]}`);
  const { kernel } = texting;
  expect(await kernel.mysql('tel_text_sends').where({ text_id: ids[0] })).toMatchObject([
    { status: 'failed', error_code: 'DELETED' },
  ]);
  expect(await kernel.mysql('tel_texts').where({ id: ids[0] })).toMatchObject([{ text: '' }]);
});

test('A received text that was deleted does not come back when the carrier delivers it again', async () => {
  const from = texting.someone();
  const origin = { from, carrierMessageId: 'told-twice' };
  await texting.receive(origin);
  const id = await texting.begin(from);
  const [only] = await leftIn(id);
  await texting.people.owner('DELETE', `${LISTS[0]}/${id}/messages/${only}`);
  expect(await texting.receive(origin)).toBe('duplicate');
  expect(await leftIn(id)).toEqual([]);
});

test('Several deletions of the same messages at once publish the deletion once', async () => {
  const { id, ids } = await conversationWith(2);
  const remove = () => texting.people.owner('DELETE', `${LISTS[0]}/${id}/messages?ids=${ids.join(',')}`);
  const published = await texting.publishedBy(texting.ids.one, async () => {
    const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
  expect(published).toHaveLength(2);
});
