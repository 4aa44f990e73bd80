import { openTelephony, type TelephonyStack } from '../../../support/telephony/telephony';
import { INSTANCE_ONE, problem } from '../people';

let stack: TelephonyStack;

beforeAll(async () => {
  stack = await openTelephony();
});
afterAll(() => stack.close());

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const MASK = '********';
let next = 700;
const create = async (more: object = {}) => {
  next += 1;
  const { status, body } = await stack.people.owner('POST', PATH, {
    data: { id: next, name: `Desk ${next}` },
    ...more,
  });
  expect(status).toBe(201);
  return body;
};
const heldOf = async (number: number) => (await stack.pbx.holds(INSTANCE_ONE)).find((each) => each.number === number);

describe('Unassigned extensions', () => {
  test('An unassigned extension shows its credentials to the owner only, on every path', async () => {
    const made = await create();
    const { owner, member, ids } = stack.people;
    const paths = [
      `${PATH}/${made._id}`,
      `${PATH}?filter_by=unassigned`,
      `/instances/${INSTANCE_ONE}/extensions/${made._id}`,
      `/instances/${INSTANCE_ONE}/extensions?search=${made.data.id}`,
      `/account/${ids.member}/extensions?purpose=unassigned`,
    ];
    for (const path of paths) {
      const [seen, own] = [await member('GET', path), await owner('GET', path)];
      expect(JSON.stringify(seen.body)).toContain(MASK);
      for (const word of [made.data.secret, made.data.voicemail_vmpwd]) {
        expect(JSON.stringify(seen.body)).not.toContain(word);
        expect(JSON.stringify(own.body)).toContain(word);
      }
    }
  });

  test.each(['PUT', 'PATCH'])(
    'An unassigned extension can be changed with %s by anyone, except for its credentials',
    async (method) => {
      const made = await create();
      const { member } = stack.people;
      const path = `${PATH}/${made._id}`;
      const plain = await member(method, path, { data: { name: 'Renamed' } });
      expect(plain).toMatchObject({ status: 200, body: { data: { name: 'Renamed', secret: MASK }, user: null } });
      // A client sends back what it was shown.
      const whole = await member(method, path, { ...plain.body, data: { ...plain.body.data, name: 'Again' } });
      expect(whole.status).toBe(200);
      for (const data of [{ secret: 'of-my-choice-1' }, { voicemail_vmpwd: '424242' }, { password: 'mine' }]) {
        expect(await member(method, path, { data: { name: 'x', ...data } })).toMatchObject(problem(403));
      }
      expect(await heldOf(made.data.id)).toMatchObject({ name: 'Again', secret: made.data.secret });
    },
  );

  test.each(['PUT', 'PATCH'])(
    'A member cannot take over an unassigned extension with %s, because its user can see the secret',
    async (method) => {
      const made = await create();
      const { member, owner, ids } = stack.people;
      const path = `${PATH}/${made._id}`;
      for (const body of [
        { user: { id: ids.member }, data: { name: 'Mine' } },
        { user: ids.member, data: { name: 'Mine' } },
        { data: { name: 'Mine', voicemail_email: 'member@example.com' } },
      ]) {
        expect(await member(method, path, body)).toMatchObject(problem(403));
      }
      expect((await owner('GET', path)).body.user).toBeNull();
      const given = await owner(method, path, { user: { id: ids.member }, data: { name: 'Theirs' } });
      expect(given).toMatchObject({ status: 200, body: { user: { id: ids.member } } });
      expect((await member('GET', path)).body.data.secret).toBe(made.data.secret);
      expect((await member(method, path, { data: { name: 'x', secret: 'of-my-choice-2' } })).status).toBe(200);
    },
  );

  test('A member cannot delete an unassigned extension to create it again', async () => {
    const made = await create();
    const { member, owner } = stack.people;
    expect(await member('DELETE', `${PATH}/${made._id}`)).toMatchObject(problem(403));
    expect(await heldOf(made.data.id)).toMatchObject({ secret: made.data.secret });
    expect((await owner('DELETE', `${PATH}/${made._id}`)).status).toBe(200);
  });

  test('A member cannot change the secret of an unassigned extension by a bulk order', async () => {
    const made = await create();
    const { member } = stack.people;
    const rows = [{ data: { id: made.data.id, secret: 'of-my-choice-3' } }];
    const { status, body } = await member(
      'POST',
      `/instances/${INSTANCE_ONE}/bulks/extensions/import?dry_run=true`,
      rows,
    );
    if (status < 400) expect(JSON.stringify(body)).toContain('Only the primary user');
    else expect(status).toBe(403);
    expect(await heldOf(made.data.id)).toMatchObject({ secret: made.data.secret });
  });
});
