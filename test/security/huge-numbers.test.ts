import { bearer, type Ask } from '../support/http/client';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { addressBehind } from '../support/pictures';

let cluster: Cluster;
let node: TestNode;
let chat: Record<string, string>;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off', UNKNOWN_KEY_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  chat = await node.basic('owner@example.com');
});
afterAll(() => cluster.close());

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** More than a double holds, a double without its last digit, more than an INT and than a BIGINT column holds. */
const HUGE = ['1'.repeat(400), '9007199254740993', '4294967296', '18446744073709551616'];
/** They would deactivate the calling account, or replace its key. */
const FATAL = new Set([
  'delete /api/v1/users/me',
  'post /api/v1/users/me/api_key/regenerate',
  'post /api/v1/realm/deactivate',
]);

const isText = ({ type }: Schema) => type === undefined || type === 'string';
const usual = (schema: Schema, isForm: boolean): unknown => {
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return isForm ? '[]' : [];
  return schema.type === 'object' ? (isForm ? '{}' : {}) : 'x';
};

/** Each parameter of an operation in turn has this number, with valid values for the others it needs. */
function asksOf(path: string, method: string, { parameters = [], requestBody }: Operation, huge: string) {
  const isChat = path.startsWith('/api/v1') || path.startsWith('/avatar') || path.startsWith('/user_');
  const content = Object.values(requestBody?.content ?? {})[0]?.schema;
  const fields = Object.entries(content?.properties ?? {});
  const needed = fields.filter(([name]) => content?.required?.includes(name));
  const names = [...parameters.map(({ name }) => name), ...fields.map(([name]) => name)];
  return names.map((target): { name: string; path: string; ask: Ask } => {
    const value = (name: string, schema: Schema) => (name === target ? huge : String(usual(schema, true)));
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name, { type: 'integer' }));
    const asked = parameters.filter((each) => each.in === 'query' && (each.required || each.name === target));
    const query = Object.fromEntries(asked.map(({ name, schema }) => [name, value(name, schema)]));
    const given = [...needed.filter(([name]) => name !== target), ...fields.filter(([name]) => name === target)];
    const form = Object.fromEntries(given.map(([name, schema]) => [name, value(name, schema)]));
    const json = Object.fromEntries(
      given.map(([name, schema]) => {
        if (name !== target) return [name, usual(schema, false)];
        return [name, isText(schema) ? huge : Number(huge)];
      }),
    );
    const headers = isChat ? chat : bearer('demo-key-one');
    const body = method === 'get' || method === 'delete' || fields.length === 0 ? {} : isChat ? { form } : { json };
    return { name: target, path: url, ask: { method: method.toUpperCase(), headers, query, ...body } };
  });
}

test.each(HUGE)(
  'The number %s in any parameter of any route is refused or unknown, and never causes a 500',
  async (huge) => {
    const { body } = await node.call('/openapi.json');
    const paths = body.paths as Record<string, Record<string, Operation>>;
    const asks = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => !FATAL.has(`${method} ${path}`))
        .flatMap(([method, operation]) => asksOf(path, method, operation, huge)),
    );
    expect(asks.length).toBeGreaterThan(100);
    const failures: string[] = [];
    for (let at = 0; at < asks.length; at += 10) {
      const some = asks.slice(at, at + 10);
      const answers = await Promise.all(some.map(({ path, ask }) => node.call(path, ask)));
      for (const [index, { status, text }] of answers.entries()) {
        const { name, path, ask } = some[index]!;
        // An unreachable PBX gives 502 or 503, which has nothing to do with numbers.
        if (status === 500) failures.push(`${ask.method} ${path.slice(0, 80)} ${name}: ${text.slice(0, 200)}`);
      }
    }
    expect(failures).toEqual([]);
  },
);

test('The avatar route answers a user id of 400 digits like an unknown user', async () => {
  for (const path of [`/avatar/${'1'.repeat(400)}`, `/avatar/${'1'.repeat(400)}/medium`]) {
    const answer = await node.call(path, { headers: chat });
    expect(answer.status).toBe(302);
    expect(addressBehind(answer.headers.get('location'))).toMatch(
      /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/,
    );
  }
});
