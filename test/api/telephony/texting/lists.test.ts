import { OURS, openTexting, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';
const SECOND = '+15550100011';

const list = async (query = '') => {
  const answer = await texting.people.owner('GET', `${PATH}${query}`);
  return { ...answer, ids: (answer.body as { id: string }[]).map(({ id }) => id) };
};

describe('GET conversations', () => {
  let ids: string[];

  beforeAll(async () => {
    const second = { e164: SECOND, company_id: texting.ids.one, carrier_account_id: 'x', created_at: new Date() };
    await texting.kernel.mysql('tel_text_numbers').insert(second);
    const begin = async (draft: object) =>
      ((await texting.people.owner('POST', PATH, { from_number: OURS, ...draft })).body as { id: string }).id;
    const [ann, bob, eve] = [texting.someone(), texting.someone(), texting.someone()];
    await texting.people.owner('POST', '/texting/contacts', {
      number: ann,
      first_name: 'Ann',
      last_name: '100% Arbor',
    });
    await texting.people.owner('POST', '/texting/contacts', { number: bob, first_name: 'Bob' });
    ids = [
      await begin({ recipients: [ann] }),
      await begin({ recipients: [bob] }),
      await begin({ recipients: [ann, bob], name: 'The_Two' }),
      await begin({ recipients: [ann], from_number: SECOND }),
      await begin({ recipients: [bob, eve], conversation_type: 'campaign', name: 'Sale' }),
    ];
    // The newest texts determine the order, so this goes backwards.
    for (const id of [...ids].reverse()) await texting.send(id, `to ${id}`);
  });

  test('Conversations are sorted by their last activity, each with its last message', async () => {
    for (const query of ['', '?sort=last_activity']) {
      const { status, ids: listed, body } = await list(query);
      expect(status).toBe(200);
      expect(listed).toEqual(ids);
      for (const each of body) {
        expect(each).toMatchObject({ lastmessage: { text: `to ${each.id}`, conversation_id: each.id } });
        expect(each.last_msg).toEqual(each.lastmessage);
        expect(each.last_message_created_at).toBe(each.lastmessage.created_at);
        expect(each.has_direct_msg).toBe(each.conversation_type === 'direct');
      }
    }
    expect((await list('?sort=created_at')).ids).toEqual([...ids].reverse());
    expect(await texting.people.owner('GET', `${PATH}?sort=name`)).toMatchObject(problem(400));
  });

  test.each(['per_page', 'page_size', 'items_per_page'])(
    'Conversations are paged by %s, with paging headers',
    async (spelling) => {
      const { ids: listed, headers } = await list(`?page=2&${spelling}=2`);
      expect(listed).toEqual(ids.slice(2, 4));
      const header = (name: string) => headers.get(`X-Pagination-${name}`);
      expect(['Total-Count', 'Page-Count', 'Current-Page', 'Per-Page'].map(header)).toEqual(['5', '3', '2', '2']);
      expect((await list(`?page=9&${spelling}=2`)).body).toEqual([]);
      expect(await texting.people.owner('GET', `${PATH}?${spelling}=0`)).toMatchObject(problem(400));
    },
  );

  test('Pinned conversations come first, over all pages', async () => {
    for (const at of [4, 2]) await texting.people.owner('POST', `${PATH}/${ids[at]}/pin`, { pin: true });
    const order = [ids[2], ids[4], ids[0], ids[1], ids[3]];
    expect((await list()).ids).toEqual(order);
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`?page=${page}&per_page=1`)));
    expect(pages.flatMap((page) => page.ids)).toEqual(order);
    expect((await list('?page=1&per_page=3')).ids).toEqual(order.slice(0, 3));
    expect((await list('?page=2&per_page=3')).ids).toEqual(order.slice(3));
    for (const at of [4, 2]) await texting.people.owner('POST', `${PATH}/${ids[at]}/pin`, { pin: false });
  });

  test('A search finds conversations by names and numbers, and takes every character literally', async () => {
    const pick = (...places: number[]) => places.map((place) => ids[place]);
    expect((await list('?search=ann')).ids).toEqual(pick(0, 2, 3));
    expect((await list('?search=Ann%20100%25')).ids).toEqual(pick(0, 2, 3));
    expect((await list('?search=sale')).ids).toEqual(pick(4));
    expect((await list('?search=the_two')).ids).toEqual(pick(2));
    expect((await list('?search=theXtwo')).ids).toEqual([]);
    expect((await list('?search=%25%25')).ids).toEqual([]);
    expect((await list('?search=0200002')).ids).toEqual(pick(1, 2, 4));
    expect((await list('?search=')).ids).toHaveLength(5);
    expect((await list('?search=nobody')).headers.get('X-Pagination-Total-Count')).toBe('0');
  });

  test('Conversations are found by contact, by our numbers and by type', async () => {
    const { body } = await list();
    const { contact_id: ann, contactinfo } = body[0];
    const pick = (...places: number[]) => places.map((place) => ids[place]);
    const number = encodeURIComponent(contactinfo.number);
    for (const query of [`contact=${ann}`, `contact_id=${ann}`, `contact=${number}`, `contact=${contactinfo.number}`]) {
      expect((await list(`?${query}`)).ids).toEqual(pick(0, 2, 3));
    }
    expect((await list(`?contact=${ann}&from_number=${SECOND.slice(1)}`)).ids).toEqual(pick(3));
    expect((await list(`?from_numbers=${encodeURIComponent(SECOND)}`)).ids).toEqual(pick(3));
    expect((await list(`?from_numbers=${SECOND}`)).ids).toEqual(pick(3));
    expect((await list(`?from_numbers=${SECOND},${OURS}`)).ids).toHaveLength(5);
    expect((await list(`?from_numbers=${SECOND}&from_numbers=${OURS}`)).ids).toHaveLength(5);
    expect((await list('?from_numbers=')).ids).toHaveLength(5);
    expect((await list('?conversation_type=campaign')).ids).toEqual(pick(4));
    expect((await list('?contact=nobody')).ids).toEqual([]);
    expect(await texting.people.owner('GET', `${PATH}?from_numbers=x`)).toMatchObject(problem(400));
    expect(await texting.people.owner('GET', `${PATH}?conversation_type=x`)).toMatchObject(problem(400));
  });

  test('The list of conversations is empty for a company that has none', async () => {
    expect(await texting.people.stranger('GET', PATH)).toMatchObject({ status: 200, body: [] });
  });
});

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  // Sweeps and the lookup of the key do not count.
  const add = ({ sql }: { sql: string }) => (count += /tel_(text|conversation|opt_out)/.test(sql) ? 1 : 0);
  texting.kernel.mysql.on('query', add);
  await work();
  texting.kernel.mysql.off('query', add);
  return count;
}

test('A list takes the same number of statements whether it is short or long', async () => {
  const conversation = await texting.begin();
  await texting.send(conversation, 'first');
  const messages = `${PATH}/${conversation}/messages`;
  for (const path of [PATH, messages, '/texting/contacts', '/texting/numbers', '/texting/optouts']) {
    const look = (size: number) => texting.people.owner('GET', `${path}?per_page=${size}`);
    const short = await statementsOf(() => look(1));
    for (let more = 0; more < 3; more += 1) {
      const from = texting.someone();
      await texting.receive({ from, text: 'STOP' });
      await texting.send(conversation, 'another');
    }
    expect((await look(100)).body.length).toBeGreaterThan(1);
    expect(await statementsOf(() => look(100))).toBe(short);
    expect(short).toBeGreaterThan(0);
    expect(short).toBeLessThanOrEqual(8);
  }
});

test('Sending and receiving a text take few statements', async () => {
  const from = texting.someone();
  const conversation = await texting.begin(from);
  expect(await statementsOf(() => texting.send(conversation, 'x', { stamp_id: 's' }))).toBeLessThanOrEqual(8);
  expect(await statementsOf(() => texting.receive({ from }))).toBeLessThanOrEqual(6);
});
