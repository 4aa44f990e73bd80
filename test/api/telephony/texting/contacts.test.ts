import { OURS, openTexting, type Texting } from '../../../support/telephony/texting';
import { problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/contacts';
const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

const add = (number: string, more: object = {}) => texting.people.owner('POST', PATH, { number, ...more });

describe('POST /texting/contacts', () => {
  test('POST takes a number in every form, returns E.164, and keeps what was entered', async () => {
    const number = texting.someone();
    const raw = `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
    const { status, body } = await add(raw, { first_name: 'Ann', last_name: 'Arbor' });
    expect(status).toBe(201);
    const names = { first_name: 'Ann', last_name: 'Arbor' };
    expect(body).toEqual({ id, company_id: texting.ids.one, number, ...names, created_at: date, updated_at: date });
    expect(await texting.kernel.mysql('tel_texting_contacts').where({ id: body.id })).toMatchObject([
      { raw_number: raw },
    ]);
    expect((await texting.people.member('GET', `${PATH}/${body.id}`)).body).toEqual(body);
  });

  test('POST gets 400 for a number that has a name, and names a number that only texted', async () => {
    const number = texting.someone();
    await texting.receive({ from: number });
    const named = await add(number, { first_name: 'Ann' });
    expect(named).toMatchObject({ status: 201, body: { first_name: 'Ann', number } });
    const conversation = await texting.begin(number);
    const { body } = await texting.people.owner('GET', `/texting/conversations/${conversation}`);
    expect(body.contactinfo).toMatchObject({ id: named.body.id, first_name: 'Ann' });
    const again = await add(number, { first_name: 'Bob' });
    expect(again).toMatchObject(problem(400));
    expect(again.body.detail).toContain(number);
  });

  test('Several POSTs at once for one number create one texting contact', async () => {
    const number = texting.someone();
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((first_name) => add(number, { first_name })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
  });

  test.each([
    [{}],
    [{ number: null }],
    [{ number: '12' }],
    [{ number: 'nobody' }],
    [{ number: '+15550209999', first_name: 5 }],
    [{ number: '+15550209999', last_name: 'x'.repeat(101) }],
  ])('POST of a texting contact refuses %j', async (draft) => {
    const answer = await texting.people.owner('POST', PATH, draft);
    expect(answer).toMatchObject(problem(400));
  });
});

describe('Changes of a texting contact', () => {
  test('PUT replaces a texting contact, and PATCH changes the given fields', async () => {
    const { people } = texting;
    const number = texting.someone();
    const { body } = await add(number, { first_name: 'Ann', last_name: 'Arbor' });
    const one = `${PATH}/${body.id}`;
    expect(await people.member('PATCH', one, { last_name: 'Archer' })).toMatchObject({
      status: 200,
      body: { first_name: 'Ann', last_name: 'Archer', number },
    });
    const other = texting.someone();
    expect(await people.member('PUT', one, { number: other, first_name: 'Bo' })).toMatchObject({
      status: 200,
      body: { id: body.id, first_name: 'Bo', last_name: '', number: other },
    });
    expect(await people.owner('PUT', one, { first_name: 'Bo' })).toMatchObject(problem(400));
    expect(await people.owner('PATCH', one, { number: 'x' })).toMatchObject(problem(400));
    expect(await people.owner('PATCH', one, { number: null })).toMatchObject(problem(400));
    const taken = (await add(texting.someone(), { first_name: 'T' })).body.number;
    expect(await people.owner('PATCH', one, { number: taken })).toMatchObject(problem(400));
    for (const method of ['PUT', 'PATCH', 'DELETE', 'GET']) {
      const draft = method === 'GET' ? undefined : { number };
      expect(await people.owner(method, `${PATH}/nobody`, draft)).toMatchObject(problem(404));
    }
  });

  test('DELETE forgets the name, conversations continue, and a new text from the number is accepted', async () => {
    const { people } = texting;
    const number = texting.someone();
    const { body } = await add(number, { first_name: 'Ann' });
    const conversation = await texting.begin(number);
    expect(await people.owner('DELETE', `${PATH}/${body.id}`)).toMatchObject({ status: 200, body: { id: body.id } });
    expect(await people.owner('DELETE', `${PATH}/${body.id}`)).toMatchObject(problem(404));
    expect(await people.owner('GET', `${PATH}/${body.id}`)).toMatchObject(problem(404));
    expect((await people.owner('GET', `${PATH}?number=${number}`)).body).toEqual([]);
    const shown = await people.owner('GET', `/texting/conversations/${conversation}`);
    expect(shown.body.contactinfo).toMatchObject({ number, first_name: '' });
    expect(await texting.receive({ from: number })).toBe('received');
    expect(await add(number, { first_name: 'Again' })).toMatchObject({ status: 201, body: { id: body.id } });
  });
});

describe('GET /texting/contacts', () => {
  test('Texting contacts are listed by name, by page and by search', async () => {
    const { stranger } = texting.people;
    const people = ['Cid Zed', 'Ann Zed', 'Bob 50%'].map((name) => name.split(' '));
    for (const [first_name, last_name] of people) {
      await stranger('POST', PATH, { number: texting.someone(), first_name, last_name });
    }
    const list = async (query: string) => {
      const answer = await stranger('GET', `${PATH}${query}`);
      return { ...answer, names: (answer.body as { first_name: string }[]).map((each) => each.first_name) };
    };
    expect((await list('')).names).toEqual(['Ann', 'Bob', 'Cid']);
    const page = await list('?page=2&per_page=2');
    expect(page.names).toEqual(['Cid']);
    expect(page.headers.get('X-Pagination-Total-Count')).toBe('3');
    expect((await list('?search=zed')).names).toEqual(['Ann', 'Cid']);
    expect((await list('?search=ann%20z')).names).toEqual(['Ann']);
    expect((await list('?search=0%25')).names).toEqual(['Bob']);
    expect((await list('?search=n_')).names).toEqual([]);
    const { number } = (await list('')).body[1];
    for (const given of [number, encodeURIComponent(number), number.slice(2)]) {
      expect((await list(`?number=${given}`)).names).toEqual(['Bob']);
    }
    expect((await list(`?search=${number.slice(-4)}`)).names).toEqual(['Bob']);
    expect(await stranger('GET', `${PATH}?number=x`)).toMatchObject(problem(400));
  });
});

test('GET /texting/numbers lists the numbers that the company texts from', async () => {
  const { status, body, headers } = await texting.people.member('GET', '/texting/numbers');
  expect(status).toBe(200);
  const own = { id: OURS, number: OURS, name: expect.any(String), company_id: texting.ids.one, created_at: date };
  expect(body).toEqual([own]);
  expect(headers.get('X-Pagination-Total-Count')).toBe('1');
  expect((await texting.people.member('GET', '/texting/numbers?page=2')).body).toEqual([]);
});
