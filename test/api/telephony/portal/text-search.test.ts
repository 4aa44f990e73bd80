import { postAsCarrier, inboundText } from '../texting/carrier-requests';
import { pageOf, type TestPage } from '../../../support/http/pages';
import { startWorkers } from '../../../support/kernel/workers';
import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { until } from '../../../support/until';
import { problem } from '../people';

let stack: TelephonyStack;
let owner: TestPage;
let member: TestPage;
let stranger: TestPage;

beforeAll(async () => {
  stack = await openTelephony();
  const { people, node, cluster } = stack;
  await startWorkers(cluster, 'texting-inbound');
  const enter = async (id: string) => pageOf(await node.call('/portal/api/session', { json: { demo: id } }));
  owner = await enter(people.ids.owner);
  member = await enter(people.ids.member);
  stranger = await enter(people.ids.stranger);
});
afterAll(() => stack.close());

interface Found {
  readonly id: string;
  readonly conversation_id: string;
  readonly text: string;
}

const search = (page: TestPage, words: string, cursor = '') =>
  page.call(stack.node, `/portal/api/text-search?search=${encodeURIComponent(words)}&cursor=${cursor}`);
const textsOf = async (page: TestPage, words: string) =>
  ((await search(page, words)).body as Found[]).map(({ text }) => text);
const receive = async (from: string, text: string): Promise<void> => {
  await postAsCarrier(stack.node, inboundText({ from, text }));
  await until(async () => (await textsOf(owner, text)).includes(text));
};

test('Texts of all conversations are found by any part of their words, newest first, with whom they are from', async () => {
  await receive('+15550104001', 'The Müller order is late');
  await receive('+15550104002', 'Which order? 100 % of_it?');
  expect(await textsOf(member, 'ORDER')).toEqual(['Which order? 100 % of_it?', 'The Müller order is late']);
  expect(await textsOf(owner, 'muller')).toEqual(['The Müller order is late']);
  for (const literal of ['100 %', 'of_it', 'r? 1']) expect(await textsOf(owner, literal)).toHaveLength(1);
  expect(await textsOf(owner, 'o_der')).toEqual([]);
  const [found] = (await search(owner, 'Müller')).body;
  expect(found).toMatchObject({
    direction: 'inbound',
    name: '',
    user_id: null,
    contactsinfo: [{ number: '+15550104001' }],
  });
});

test('Deleted texts, deleted conversations and other companies are not searched', async () => {
  await receive('+15550104003', 'a secret word');
  await receive('+15550104004', 'another secret word');
  expect(await textsOf(stranger, 'secret word')).toEqual([]);
  const [second, first] = (await search(owner, 'secret word')).body as [Found, Found];
  expect((await search(stranger, 'secret word', first.id)).status).toBe(404);
  const of = ({ conversation_id: id }: Found) => `/texting/conversations/${id}`;
  await stack.people.owner('DELETE', `${of(first)}/messages/${first.id}`);
  expect(await textsOf(owner, 'secret word')).toEqual(['another secret word']);
  await stack.people.owner('DELETE', of(second));
  expect(await textsOf(owner, 'secret word')).toEqual([]);
});

test('A search with many results goes on at its cursor, and one that is too short or too long is refused', async () => {
  const { mysql } = stack.node.kernel;
  await receive('+15550104005', 'many 0');
  const [{ conversation_id: conversation }] = (await search(owner, 'many 0')).body as [Found];
  const { company_id: company } = await mysql('tel_conversations').where({ id: conversation }).first('company_id');
  // The same moment for all: a cursor must not lose any of them.
  await mysql('tel_texts').insert(
    Array.from({ length: 64 }, (_, at) => ({
      id: `e${String(at).padStart(23, '0')}`,
      company_id: company,
      conversation_id: conversation,
      seq: 1000 + at,
      direction: 'outbound',
      text: `many ${at + 1}`,
      status: 'sent',
      status_rank: 2,
      segments: 1,
      created_at: '2026-01-01 00:00:00.000',
      updated_at: '2026-01-01 00:00:00.000',
    })),
  );
  const all = new Set<string>();
  let [cursor, pages] = ['', 0];
  do {
    const answer = await search(owner, 'many', cursor);
    for (const { text } of answer.body as Found[]) all.add(text);
    cursor = answer.headers.get('x-next-cursor') ?? '';
    pages += 1;
  } while (cursor !== '');
  expect([all.size, pages]).toEqual([65, 3]);
  for (const wrong of ['x', ' x ', 'x'.repeat(101)]) expect(await search(owner, wrong)).toMatchObject(problem(400));
});
