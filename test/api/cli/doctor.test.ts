import { createServer, type AddressInfo, type Server } from 'node:net';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { openTestDatabase } from '../../support/kernel/database';
import { DEAD_PORT, ownDirectory, startRedis } from '../../support/servers/services';
import { cliOf, type Cli, type RunOptions } from './run';

interface Check {
  readonly check: string;
  readonly level: string;
  readonly says: string;
  readonly advice?: string;
}

let cluster: Cluster;
let cli: Cli;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  cli = cliOf(cluster.environment);
});
afterAll(() => cluster.close());

async function examine(environment: RunOptions['environment'] = {}) {
  const run = await cli(['doctor', '--json'], { environment });
  const checks = (run.json?.checks ?? []) as Check[];
  return { ...run, checks, of: (name: string) => checks.find(({ check }) => check === name) };
}

/** Accepts connections and never responds, like a frozen server. */
async function openSilence(): Promise<{ port: number; server: Server }> {
  const sockets = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
  return { port: (sockets.address() as AddressInfo).port, server: sockets };
}

describe('partyline doctor', () => {
  test('The command doctor finds nothing wrong with a sound installation', async () => {
    const { code, err, json, checks } = await examine();
    expect({ code, err, ok: json.ok }).toEqual({ code: 0, err: '', ok: true });
    expect(checks.filter(({ level }) => level === 'fail')).toEqual([]);
    expect(checks.map(({ check }) => check)).toEqual([
      'node-version',
      'open-files',
      'environment',
      'redis',
      'redis-version',
      'redis-role',
      'redis-eviction',
      'redis-persistence',
      'redis-memory',
      'mysql',
      'mysql-version',
      'mysql-tls',
      'mysql-isolation',
      'mysql-characters',
      'mysql-engine',
      'mysql-connections',
      'migrations',
      'secret-key',
      'clocks',
    ]);
    for (const { level, advice } of checks) expect(advice === undefined).toBe(level === 'ok');
  });

  test('The command doctor prints one line per check, with advice below', async () => {
    const { code, out } = await cli(['doctor'], { environment: { HOST: '0.0.0.0', AUTH_METHODS: 'password' } });
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}redis-eviction +maxmemory-policy is noeviction$/m);
    expect(out).toMatch(
      /^warn {2}environment .*published keys and passwords work for anyone on the network\n {6}→ Set NODE_ENV=production/m,
    );
    expect(out).toMatch(/\n\d+ checks: 0 failed, \d+ warnings?\n$/);
  });

  test('The command doctor fails a Redis that evicts, is a replica or nearly full, and warns if it does not persist', async () => {
    const directory = ownDirectory();
    const redis = await startRedis({
      dir: directory.path,
      appendonly: false,
      extra: ['maxmemory-policy allkeys-lru', 'maxmemory 1mb', `replicaof 127.0.0.1 ${DEAD_PORT}`],
    });
    try {
      const { code, json, of } = await examine({ REDIS_URL: redis.url });
      expect({ code, ok: json.ok }).toEqual({ code: 1, ok: false });
      expect(of('redis-eviction')).toMatchObject({
        level: 'fail',
        says: 'maxmemory-policy is allkeys-lru: events and jobs can vanish without a word',
        advice: 'Set "maxmemory-policy noeviction" in redis.conf.',
      });
      expect(of('redis-role')).toMatchObject({ level: 'fail', says: 'a replica' });
      expect(of('redis-memory')).toMatchObject({ level: 'warn' });
      expect(of('redis-persistence')).toMatchObject({ level: 'warn' });
      expect(of('mysql')).toMatchObject({ level: 'ok' });
    } finally {
      await redis.kill();
      directory.remove();
    }
  });

  test('The command doctor names the server that is unreachable and still checks the other one', async () => {
    const noMysql = await examine({ DATABASE_URL: `mysql://app:hush@127.0.0.1:${DEAD_PORT}/partyline` });
    expect(noMysql.code).toBe(1);
    expect(noMysql.of('mysql')).toMatchObject({
      level: 'fail',
      says: `MySQL at 127.0.0.1:${DEAD_PORT} cannot be used: connection refused`,
      advice: expect.stringContaining('npm start'),
    });
    expect(noMysql.of('redis-eviction')).toMatchObject({ level: 'ok' });
    expect(noMysql.of('clocks')).toMatchObject({ level: 'ok' });
    expect(noMysql.out).not.toContain('hush');

    const noRedis = await examine({ REDIS_URL: `redis://127.0.0.1:${DEAD_PORT}` });
    expect(noRedis.code).toBe(1);
    expect(noRedis.of('redis')).toMatchObject({ level: 'fail' });
    expect(noRedis.of('secret-key')).toMatchObject({ level: 'ok' });
  });

  test('The command doctor warns of an unreachable replica, whose reads the primary answers', async () => {
    const url = `mysql://app:hush@127.0.0.1:${DEAD_PORT}/partyline`;
    const { code, of, out } = await examine({ DATABASE_REPLICA_URL: url });
    expect(code).toBe(0);
    expect(of('mysql-replica')).toMatchObject({ level: 'warn', says: expect.stringContaining('connection refused') });
    expect(out).not.toContain('hush');
  });

  test('The command doctor gives up on servers that do not respond', async () => {
    const { port, server } = await openSilence();
    const { code, of } = await examine({
      REDIS_URL: `redis://127.0.0.1:${port}`,
      DATABASE_URL: `mysql://app@127.0.0.1:${port}/partyline`,
    });
    server.close();
    expect(code).toBe(1);
    expect(of('redis')).toMatchObject({ level: 'fail' });
    expect(of('mysql')).toMatchObject({ level: 'fail' });
  });

  test('The command doctor says that a password is wrong, not that a server is unreachable', async () => {
    const [redis, mysql] = [cluster.environment['REDIS_URL'], cluster.environment['DATABASE_URL']].map(
      (url) => new URL(url!),
    );
    redis!.password = 'wrong';
    mysql!.password = 'wrong';
    const { code, of } = await examine({ REDIS_URL: redis!.href, DATABASE_URL: mysql!.href });
    expect(code).toBe(1);
    expect(of('redis')?.says).toContain('WRONGPASS');
    expect(of('mysql')?.says).toContain('Access denied');
  });

  test('The command doctor finds migrations that are pending', async () => {
    const database = await openTestDatabase({ migrated: false });
    const { code, of } = await examine({ DATABASE_URL: database.url });
    await database.drop();
    expect(code).toBe(1);
    expect(of('migrations')).toMatchObject({ level: 'fail', advice: 'Run "partyline migrate".' });
    expect(of('secret-key')).toBeUndefined();
  });

  test('The command doctor finds a SECRET_KEY that differs from the former one', async () => {
    const { code, of } = await examine({ SECRET_KEY: 'another-secret-of-thirty-two-characters' });
    expect(code).toBe(1);
    expect(of('secret-key')).toMatchObject({ level: 'fail', says: expect.stringContaining('SECRET_KEY') });
  });

  test('The command doctor finds tables of another engine or character set', async () => {
    const database = await openTestDatabase();
    const kernel = await cluster.kernel({ DATABASE_URL: database.url });
    await kernel.mysql.raw('CREATE TABLE chat_old (a INT) ENGINE = MyISAM CHARACTER SET latin1');
    const { code, of } = await examine({ DATABASE_URL: database.url });
    await kernel.lifecycle.drain();
    await database.drop();
    expect(code).toBe(1);
    expect(of('mysql-engine')).toMatchObject({ level: 'fail', says: 'not InnoDB: chat_old (MyISAM)' });
    expect(of('mysql-characters')).toMatchObject({ level: 'fail', says: 'not utf8mb4: chat_old' });
  });

  test('The command doctor warns in production of a missing metrics token and public URL', async () => {
    const { of } = await examine({ NODE_ENV: 'production', SECRET_KEY: 'another-secret-of-thirty-two-characters' });
    expect(of('metrics-token')).toMatchObject({ level: 'warn' });
    expect(of('public-url')).toMatchObject({ level: 'warn' });
  });
});
