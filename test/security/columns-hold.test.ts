/**
 * Every value that passes the checks of the API fits its column: no text or number makes the database refuse a
 * statement.
 */
import { bearer } from '../support/http/client';
import { formOf, PNG } from '../support/pictures';
import { nameOf, request, type Operation } from '../access/api-walk';
import { openWalkedStack, type WalkedStack } from '../access/walked-stack';

let stack: WalkedStack;

beforeAll(async () => {
  stack = await openWalkedStack();
});
afterAll(() => stack.cluster.close());

/** Letters of two and four bytes, in lengths close to those of columns; and values that no column holds. */
const VALUES: readonly unknown[] = [
  'a\0b',
  'é'.repeat(101),
  'é'.repeat(251),
  '😀'.repeat(1000),
  'f'.repeat(70_000),
  Number.MAX_SAFE_INTEGER,
];
/** A longer address is refused before anything reads it. */
const MAX_LENGTH_IN_QUERY = 3000;
const AT_ONCE = 6;

async function walk(operation: Operation, wrong: string[]): Promise<void> {
  for (const name of [...operation.inQuery.keys(), ...operation.inBody.keys()]) {
    for (const value of VALUES) {
      if (operation.inQuery.has(name) && JSON.stringify(value).length > MAX_LENGTH_IN_QUERY) continue;
      const { status } = await request(stack.walker, operation, { name, value });
      if (status === 500) wrong.push(`${nameOf(operation)} ${name}=${JSON.stringify(value).slice(0, 30)}`);
      // Orders wait for an unreachable PBX.
      if (status === 502) break;
    }
  }
}

test('No field of any operation causes a 500 with characters, lengths or numbers that its column cannot hold', async () => {
  const wrong: string[] = [];
  const left = [...stack.operations];
  const lane = async () => {
    for (let operation = left.pop(); operation; operation = left.pop()) await walk(operation, wrong);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(wrong).toEqual([]);
});

test('A user id with impossible characters is refused as an unknown user, and the error names the field', async () => {
  const headers = bearer('demo-key-one');
  const path = `/company/contacts/${String(stack.walker.good.ofName['contact_id'])}`;
  const name = (primary_agent: string) => stack.node.call(path, { method: 'PATCH', headers, json: { primary_agent } });
  const [impossible, unknown] = [await name('Zoë'), await name('f'.repeat(24))];
  expect(unknown).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^primary_agent:/) } });
  expect(impossible.text).toBe(unknown.text);
});

test.each(['é', '😀', 'a\u0000b', 'x'.repeat(500)])(
  'A custom emoji named %j is refused with 400, not a 500',
  async (name) => {
    const raw = formOf(PNG);
    const { status } = await stack.node.call(`/api/v1/realm/emoji/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: stack.walker.headers('chat'),
      raw,
    });
    expect(status).toBe(400);
  },
);

test('A stream description may have a thousand emoji, and a profile field five hundred or long choices', async () => {
  const call = async (method: string, path: string, form: Record<string, unknown>) => {
    const fields = Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const headers = stack.walker.headers('chat');
    const { body } = await stack.node.call(`/api/v1${path}`, { method, headers, form: Object.fromEntries(fields) });
    expect(body).toMatchObject({ result: 'success' });
    return body as { id: number };
  };
  const { stream_id: streamId } = stack.walker.good.ofName;
  await call('PATCH', `/streams/${String(streamId)}`, { description: JSON.stringify('😀'.repeat(1000)) });
  const choices = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [String(at), { text: `${at}`.padEnd(4000, 'c'), order: String(at + 1) }]),
  );
  await call('POST', '/realm/profile_fields', { name: 'Choice', field_type: '3', field_data: choices });
  const { id } = await call('POST', '/realm/profile_fields', { name: 'Emoji', field_type: '2' });
  await call('PATCH', '/users/me/profile_data', { data: [{ id, value: '😀'.repeat(500) }] });
});
