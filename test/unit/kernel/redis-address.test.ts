import { clusterNodesOf, connectionOf, placeOf } from '../../../src/kernel/redis/address';

const at = (redisUrl: string, redisSentinelPassword = '') => connectionOf({ redisUrl, redisSentinelPassword });

test('An address of one server gives host, port, database and credentials', () => {
  expect(at('redis://cache')).toEqual({ host: 'cache', port: 6379, db: 0 });
  expect(at('redis://:hush@10.0.0.1:6380/2')).toEqual({ host: '10.0.0.1', port: 6380, db: 2, password: 'hush' });
  expect(at('redis://app:h%40sh:1@[::1]')).toEqual({
    host: '::1',
    port: 6379,
    db: 0,
    username: 'app',
    password: 'h@sh:1',
  });
});

test('An address of Sentinels gives the Sentinels, the name of the primary and the credentials', () => {
  expect(at('redis+sentinel://app:hush@a:1,b,[::1]:3/main/4', 'word')).toEqual({
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26_379 },
      { host: '::1', port: 3 },
    ],
    name: 'main',
    db: 4,
    username: 'app',
    password: 'hush',
    sentinelPassword: 'word',
  });
});

test('An address of a cluster gives some of its nodes and the credentials', () => {
  const url = 'redis+cluster://app:hush@a:1,b,[::1]:3';
  expect(at(url)).toEqual({ username: 'app', password: 'hush' });
  expect(clusterNodesOf(url)).toEqual([
    { host: 'a', port: 1 },
    { host: 'b', port: 6379 },
    { host: '::1', port: 3 },
  ]);
  expect(at(`rediss+cluster://a?ca=${__filename}`)).toMatchObject({ tls: { ca: expect.any(String) } });
  expect(clusterNodesOf('redis://cache')).toBeUndefined();
});

test('An address with rediss:// encrypts with files that are read at once, for Sentinels too', () => {
  const files = new URLSearchParams({ ca: __filename, cert: __filename, key: __filename }).toString();
  const text = expect.stringContaining('rediss:// encrypts');
  const tls = { ca: text, cert: text, key: text };
  expect(at('rediss://cache')).toMatchObject({ tls: {} });
  expect(at(`rediss://cache?${files}`)).toMatchObject({ tls });
  expect(at(`rediss+sentinel://a,b/main?${files}`)).toMatchObject({
    tls,
    sentinelTLS: tls,
    enableTLSForSentinelMode: true,
  });
});

test('The printed address of Redis does not contain its password', () => {
  expect(placeOf('rediss://app:hush@cache/1')).toBe('cache:6379');
  expect(placeOf('redis+cluster://:hush@a:1,b')).toBe('a:1,b:6379 (a cluster)');
  expect(placeOf('redis+sentinel://:hush@a:1,[::1]:2/main')).toBe('a:1,[::1]:2 (Sentinels of main)');
});

test.each([
  [
    'another scheme',
    'http://cache',
    'it must begin with redis://, redis+sentinel:// or redis+cluster://, or the same with rediss',
  ],
  ['several servers without Sentinels', 'redis://a,b', 'several servers need redis+sentinel:// or redis+cluster://'],
  ['a primary without a name', 'redis+sentinel://a,b', "the primary's name is missing"],
  ['a Sentinel without a name', 'redis+sentinel://a,/main', '"" is not a host'],
  ['a database that is no number', 'redis://cache/main', 'its database must be a number, not "main"'],
  ['a database of a cluster', 'redis+cluster://a/2', 'a Redis Cluster has no databases but 0'],
  ['an unknown option', 'rediss://cache?ssl=verify', '"ssl" is not an option (there are ca, cert, key)'],
  [
    'an authority without encryption',
    'redis://cache?ca=/a',
    'ca, cert and key need rediss://, rediss+sentinel:// or rediss+cluster://',
  ],
  ['half a certificate', 'rediss://cache?cert=/a', 'cert and key must be given together'],
  ['a file that is not there', 'rediss://cache?ca=/none', 'the file of ca cannot be read: ENOENT'],
])('An address with %s is refused, and the error does not contain its password', (_, url, reason) => {
  const refused = () => at(url.replace('://', '://app:hush@'));
  expect(refused).toThrow(`REDIS_URL is wrong: ${reason}`);
  expect(refused).not.toThrow(/hush/);
});
