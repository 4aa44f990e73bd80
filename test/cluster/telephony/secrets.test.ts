import { INSTANCE_ONE, INSTANCE_TWO, problem } from '../../api/telephony/people';
import { startMainNode, type MainNode } from '../../support/processes/main-node';
import { killAll, type TestProcess } from '../../support/processes/processes';
import { openProcessStack, type ProcessStack } from './stack';

let stack: ProcessStack;
let node: MainNode;
let worker: TestProcess;

const SECRETS = ['canary-secret-one-1', 'canary-secret-two-2'];
const PIN = '90817263';
const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;

beforeAll(async () => {
  stack = await openProcessStack({ PBX_LATE_MS: '1000' });
  worker = await stack.startWorker();
  node = await startMainNode({ ...stack.cluster.environment, LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  await stack.close();
  await killAll();
});

const as = (key: string, user: string) => (method: string, path: string, json?: object) =>
  node.call(path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'X-User-Id': user },
    ...(json ? { json } : {}),
  });

/** Every row of telephony and of the kernel, and every value in Redis, as text. */
async function everythingStored(): Promise<string> {
  const { mysql, redis, namespace } = stack.node.kernel;
  const [tables] = (await mysql.raw('SHOW TABLES')) as [Record<string, string>[]];
  const parts: string[] = [];
  for (const table of tables.map((row) => Object.values(row)[0]!)) parts.push(JSON.stringify(await mysql(table)));
  for await (const keys of redis.commands.scanStream({ match: `*${namespace}*`, count: 500 })) {
    for (const key of keys as string[]) parts.push(String(await redis.commands.dump(key)));
  }
  return parts.join('\n');
}

test('Requests of strangers and members and forged bodies change nothing, and no secret is stored in clear text', async () => {
  const [owner, stranger] = [as('demo-key-one', 'primary'), as('demo-key-two', 'primary')];
  const { ids } = stack.people;
  const member = as('demo-key-one', ids.member);
  const data = { id: 801, name: 'Vault', secret: SECRETS[0], voicemail_vmpwd: PIN };
  const forged = {
    _id: 'f'.repeat(24),
    id: 'f'.repeat(24),
    pbx: INSTANCE_TWO,
    company_id: 'x',
    is_visible: false,
    number: 5,
  };
  const made = await owner('POST', PATH, { data, user: { id: ids.owner }, ...forged });
  expect(made).toMatchObject({ status: 201, body: { pbx: INSTANCE_ONE, data: { id: 801 } } });
  expect(made.body._id).not.toBe(forged._id);
  const path = `${PATH}/${made.body._id}`;
  const crossed = `/instances/${INSTANCE_TWO}/bulks/extensions/${made.body._id}`;

  for (const where of [path, crossed]) {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'PUT' || method === 'PATCH' ? { data: { name: 'Taken' } } : undefined;
      expect(await stranger(method, where, body)).toMatchObject(problem(404));
    }
  }
  expect(await as('demo-key-two', ids.owner)('GET', path)).toMatchObject(problem(401));
  for (const method of ['PUT', 'PATCH']) {
    expect(await member(method, path, { data: { name: 'Taken', secret: 'stolen-secret' } })).toMatchObject(
      problem(403),
    );
  }
  expect(await member('DELETE', path)).toMatchObject(problem(403));
  const seen = JSON.stringify((await member('GET', path)).body);
  for (const word of [...SECRETS, PIN]) expect(seen).not.toContain(word);

  const changed = await owner('PATCH', path, { data: { secret: SECRETS[1] }, ...forged });
  expect(changed).toMatchObject({ status: 200, body: { _id: made.body._id, data: { secret: SECRETS[1] } } });
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'garbage' });
  expect(await owner('PATCH', path, { data: { secret: SECRETS[0] } })).toMatchObject(problem(502));
  await stack.pbx.fault({ mode: 'ok' });

  expect(await stack.differences(INSTANCE_ONE)).toEqual({ pbx: [], database: [] });
  expect(await stack.pbx.holds(INSTANCE_ONE)).toMatchObject([{ number: 801, name: 'Vault', secret: SECRETS[1] }]);
  const stored = await everythingStored();
  expect(stored).toContain('extension.create');
  for (const word of [...SECRETS, PIN, 'stolen-secret', 'demo-key-one']) {
    expect(stored).not.toContain(word);
    expect(node.output()).not.toContain(word);
    expect(worker.output()).not.toContain(word);
  }
});
