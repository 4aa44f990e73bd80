import { openCluster, type Cluster } from '../../support/kernel/cluster';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster({ LOGIN_LIMIT: 'off', PASSWORD_QUEUE: '1' });
  await cluster.seed();
});
afterAll(() => cluster.close());

test('A login that is refused because too many wait sends MySQL no query', async () => {
  const node = await cluster.node();
  const login = (at: number) =>
    node.call('/api/v1/fetch_api_key', { form: { username: `nobody-${at}@example.com`, password: 'guess' } });
  // From here on the host is cached.
  await login(0);
  let statements = 0;
  const count = ({ sql }: { sql: string }) => void (statements += sql.includes('chat_') ? 1 : 0);
  node.kernel.mysql.on('query', count);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => login(at)));
  node.kernel.mysql.off('query', count);
  const hashed = answers.filter(({ status }) => status === 403).length;
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - hashed);
  expect(hashed).toBeLessThan(20);
  // The account that the login names.
  expect(statements).toBe(hashed);
});
