/** A failing statement leaves its error code in the log of a real process, and no user data. */
import { randomBytes } from 'node:crypto';
import { basicHeader, bearer } from '../support/http/client';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { startMainNode, type MainNode } from '../support/processes/main-node';
import { until } from '../support/until';

let cluster: Cluster;
let node: MainNode;
let chat: ReturnType<typeof basicHeader>;

beforeAll(async () => {
  cluster = await openCluster({ NODE_ENV: 'development', RATE_LIMIT: 'off', LOG_LEVEL: 'debug' });
  await cluster.seed();
  node = await startMainNode(cluster.environment);
  chat = await node.basic('owner@example.com');
});
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  await cluster.close();
});

const secret = () => `secret-${randomBytes(12).toString('hex')}`;
const sql = async (statement: string) => void (await (await cluster.kernel()).mysql.raw(statement));

/** Makes a statement fail: the database is changed behind the node's back, as by a migration gone wrong. */
const FAILURES = [
  {
    of: 'an INSERT by knex whose value is too long',
    breaks: 'ALTER TABLE tel_texting_contacts MODIFY first_name VARCHAR(3) NOT NULL',
    mends: 'ALTER TABLE tel_texting_contacts MODIFY first_name VARCHAR(100) NOT NULL',
    says: /ER_DATA_TOO_LONG/,
    ask: (value: string) =>
      node.call('/texting/contacts', {
        headers: bearer('demo-key-one'),
        json: { number: '+15550107777', first_name: value },
      }),
  },
  {
    of: 'a SELECT of a table that is gone',
    breaks: 'RENAME TABLE tel_locations TO tel_locations_away',
    mends: 'RENAME TABLE tel_locations_away TO tel_locations',
    says: /ER_NO_SUCH_TABLE/,
    ask: (value: string) =>
      node.call(`/company/locations/${value}`, { method: 'DELETE', headers: bearer('demo-key-one') }),
  },
  {
    of: 'the packet that writes messages',
    breaks: 'ALTER TABLE chat_messages MODIFY content VARCHAR(10) NOT NULL',
    mends: 'ALTER TABLE chat_messages MODIFY content MEDIUMTEXT NOT NULL',
    says: /ER_DATA_TOO_LONG/,
    ask: (value: string) =>
      node.call('/api/v1/messages', {
        headers: chat,
        form: { type: 'stream', to: 'test', topic: value, content: `${value}\n    at ${value}` },
      }),
  },
  {
    of: 'a statement sent past knex',
    breaks:
      'ALTER TABLE chat_users CHANGE key_hash key_hash_away CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL',
    mends:
      'ALTER TABLE chat_users CHANGE key_hash_away key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL',
    says: /ER_BAD_FIELD_ERROR/,
    ask: (value: string) =>
      node.call('/api/v1/users/me', { headers: basicHeader(`${value}@example.com`, 'A'.repeat(32)) }),
  },
];

test.each(FAILURES)(
  'The log names the MySQL error of $of, but none of its values',
  async ({ breaks, mends, says, ask }) => {
    const value = secret();
    const before = node.output().length;
    await sql(breaks);
    const answer = await ask(value);
    await sql(mends);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(says);
    const logged = await until(
      () => node.output().slice(before),
      (text) => says.test(text),
    );
    // Requests are logged with their paths; only the error fields are checked here.
    const errors = logged.split('\n').filter((line) => says.test(line));
    expect(errors.length).toBeGreaterThan(0);
    for (const line of errors) {
      const { error } = JSON.parse(line) as { error: Record<string, unknown> };
      const text = JSON.stringify(error);
      expect(text).not.toContain(value);
      expect(text).not.toMatch(/select |insert |update /i);
      expect(error).toMatchObject({ code: expect.stringMatching(says), errno: expect.any(Number) });
    }
  },
);
