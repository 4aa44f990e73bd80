import { tenantOf } from '../../src/kernel/actor/address';
import { DeadlineExceeded } from '../../src/kernel/deadline';
import type { Kernel } from '../../src/kernel/kernel';
import { logEvent } from '../../src/kernel/event-log/log-publisher';
import type { Outbox } from '../../src/kernel/mysql/outbox';
import { CommitUnknown, isUnreachable } from '../../src/kernel/mysql/outcome';
import type { PacketReply } from '../../src/kernel/mysql/packet';
import { closeMysql, openMysql } from '../../src/kernel/mysql/pool';
import { openTransactions } from '../../src/kernel/mysql/transaction';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { isolationOf } from '../support/kernel/session';
import { openSilentProxy } from '../support/proxies/silent-proxy';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  one = await cluster.kernel();
  two = await cluster.kernel();
  await one.mysql.raw('CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(40) UNIQUE)');
});
afterAll(() => cluster.close());

const rowsOf = (tenant: string) =>
  one.mysql('kernel_outbox').where({ tenant }).orderBy('number').select('number', 'body');

describe('Transactions', () => {
  test('A transaction writes its deliveries with its change, numbered from one', async () => {
    const tenant = tenantOf('test', 'first');
    await one.transaction(async (tx) => {
      await tx.db('notes').insert({ text: 'first' });
      tx.deliver(logEvent(tenant, 'a'));
      tx.deliver(logEvent(tenant, 'b'));
    });
    expect(await rowsOf(tenant)).toEqual([
      { number: 1, body: 'a' },
      { number: 2, body: 'b' },
    ]);
  });

  test('A transaction that its last packet has committed is not committed once more', async () => {
    const alone = await cluster.kernel({ MYSQL_CONNECTIONS: '1', SWEEP_INTERVAL_MS: '600000' });
    const commits = async () => {
      const [[{ Value: value }]] = await alone.mysql.raw("SHOW SESSION STATUS LIKE 'Com_commit'");
      return Number(value);
    };
    const before = await commits();
    await alone.transaction(async (tx) => {
      await tx.db('notes').insert({ text: 'once' });
      tx.deliver(logEvent(tenantOf('test', 'once'), 'once'));
    });
    expect((await commits()) - before).toBe(1);
    await alone.transaction((tx) => tx.db('notes').insert({ text: 'without events' }));
    expect((await commits()) - before).toBe(2);
    expect(await one.mysql('notes').whereIn('text', ['once', 'without events']).pluck('text')).toHaveLength(2);
  });

  test('A transaction that fails stores nothing and publishes nothing', async () => {
    const tenant = tenantOf('test', 'fails');
    const failing = one.transaction(async (tx) => {
      await tx.db('notes').insert({ text: 'never' });
      tx.deliver(logEvent(tenant, 'never'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await rowsOf(tenant)).toEqual([]);
    expect(await one.mysql('notes').where({ text: 'never' })).toEqual([]);
  });

  test('A transaction runs deferred writes in order after its other statements, and publishes its events', async () => {
    const tenant = tenantOf('test', 'last');
    await one.transaction(async (tx) => {
      tx.writeLast({ sql: "UPDATE notes SET text = CONCAT(text, ' changed') WHERE text = ?", bindings: ['last'] });
      tx.writeLast({ sql: 'INSERT INTO notes (text) VALUES (?)', bindings: ['later still'] });
      await tx.db('notes').insert({ text: 'last' });
      tx.deliver(logEvent(tenant, 'told'));
    });
    await two.transaction((tx) => {
      tx.writeLast({ sql: 'INSERT INTO notes (text) VALUES (?)', bindings: ['unpublished'] });
      return Promise.resolve();
    });
    expect(await one.mysql('notes').whereIn('text', ['last changed', 'later still', 'unpublished'])).toHaveLength(3);
    expect(await rowsOf(tenant)).toEqual([{ number: 1, body: 'told' }]);
  });

  test('A transaction whose deferred write fails stores nothing and publishes nothing', async () => {
    const tenant = tenantOf('test', 'last-fails');
    const failing = one.transaction(async (tx) => {
      await tx.db('notes').insert({ text: 'goes with it' });
      tx.writeLast({ sql: 'INSERT INTO notes (text) VALUES (?), (?)', bindings: ['twice', 'twice'] });
      tx.deliver(logEvent(tenant, 'never'));
    });
    await expect(failing).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
    expect(await one.mysql('notes').whereIn('text', ['goes with it', 'twice'])).toEqual([]);
    expect(await rowsOf(tenant)).toEqual([]);
    // The connection is still usable.
    await one.transaction((tx) => tx.db('notes').insert({ text: 'goes with it' }));
  });

  test('A transaction runs a packet with its commit, whatever its text holds, and publishes its rows', async () => {
    const tenant = tenantOf('test', 'packet');
    const published: number[] = [];
    const values: unknown[] = [];
    one.outbox.watch(({ number, tenant: of }) => void (of === tenant && published.push(number!)));
    const packet = {
      statements: [
        "INSERT INTO notes (text) VALUES ('who? ?? :me')",
        `INSERT INTO kernel_outbox (publisher, tenant, number, body, created_at) VALUES ('log', '${tenant}', 1, 'of the packet?', NOW(3))`,
        `INSERT INTO kernel_counters (tenant, event_number) VALUES ('${tenant}', 1)`,
      ],
      bindings: [] as const,
      read([note, row]: readonly PacketReply[]) {
        const { affectedRows: value } = note as { affectedRows: number };
        const { insertId: id } = row as { insertId: number };
        return { value, rows: [{ id, publisher: 'log', tenant, number: 1, body: 'of the packet?' }] };
      },
    };
    await one.transaction(async (tx) => {
      await tx.db('notes').insert({ text: 'before the packet?' });
      tx.writeLast({ sql: 'INSERT INTO notes (text) VALUES (?)', bindings: ['last? of all'] });
      tx.writePacket(packet, (value) => void values.push(value));
      tx.deliver(logEvent(tenant, 'after it?'));
    });
    expect(values).toEqual([1]);
    expect(published).toEqual([1, 2]);
    const texts = ['who? ?? :me', 'before the packet?', 'last? of all'];
    expect(await one.mysql('notes').whereIn('text', texts)).toHaveLength(3);
    expect(await rowsOf(tenant)).toEqual([
      { number: 1, body: 'of the packet?' },
      { number: 2, body: 'after it?' },
    ]);

    const failing = one.transaction((tx) => {
      tx.writePacket(packet, (value) => void values.push(value));
      return Promise.resolve();
    });
    await expect(failing).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
    expect(values).toEqual([1]);
  });

  test('Deliveries from two nodes at once are numbered in commit order without gap or repeat', async () => {
    const tenant = tenantOf('test', 'many');
    const send = (kernel: Kernel, text: string) =>
      kernel.transaction(async (tx) => {
        const [id] = await tx.db('notes').insert({ text });
        tx.deliver(logEvent(tenant, String(id)));
      });
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(index % 2 ? one : two, `many ${index}`)));
    const numbers = (await rowsOf(tenant)).map((row: { number: number }) => row.number);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  test('A transaction that delivers to several tenants numbers each tenant on its own', async () => {
    const [a, b] = [tenantOf('test', 'several-a'), tenantOf('test', 'several-b')];
    for (let round = 0; round < 3; round += 1) {
      await one.transaction(async (tx) => {
        for (const tenant of [b, a, b]) tx.deliver(logEvent(tenant, `${tenant} ${round}`));
      });
    }
    expect((await rowsOf(a)).map((row: { number: number }) => row.number)).toEqual([1, 2, 3]);
    expect((await rowsOf(b)).map((row: { number: number }) => row.number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('A transaction that meets a deadlock is repeated as a whole', async () => {
    await one.mysql('notes').insert([{ text: 'left' }, { text: 'right' }]);
    const tenant = tenantOf('test', 'deadlock');
    let attempts = 0;
    const cross = (kernel: Kernel, first: string, second: string) =>
      kernel.transaction(async (tx) => {
        attempts += 1;
        await tx.db('notes').where({ text: first }).forUpdate();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await tx.db('notes').where({ text: second }).forUpdate();
        tx.deliver(logEvent(tenant, first));
      });
    await Promise.all([cross(one, 'left', 'right'), cross(two, 'right', 'left')]);
    expect(attempts).toBeGreaterThan(2);
    expect(await rowsOf(tenant)).toHaveLength(2);
  });

  test('A transaction runs at READ COMMITTED, in UTC and in strict mode', async () => {
    const [[row]] = await one.mysql.raw('SELECT @@time_zone AS zone, @@sql_mode AS mode');
    expect(row).toMatchObject({ zone: '+00:00' });
    expect(await isolationOf(one.mysql)).toBe('READ-COMMITTED');
    expect(row.mode).toContain('STRICT_ALL_TABLES');
  });
});

test('A transaction that MySQL leaves unanswered fails with the reason at begin, at work or at commit', async () => {
  const url = new URL(cluster.config().databaseUrl);
  const proxy = await openSilentProxy(Number(url.port));
  url.port = String(proxy.port);
  const db = openMysql({ ...cluster.config(), databaseUrl: url.href, mysqlConnections: 1, mysqlDeadlineMs: 1000 });
  // It publishes nothing.
  const transact = openTransactions(db, { outbox: {} as Outbox, jobs: { wake() {} } }, () => Promise.resolve());
  const count = () => transact((tx) => tx.db('notes').count());
  await count();
  proxy.silence();
  await expect(count()).rejects.toThrow(DeadlineExceeded);
  const works = transact((tx) => {
    proxy.silence();
    return tx.db('notes').count();
  });
  await expect(works).rejects.toThrow(DeadlineExceeded);
  const commits = transact(async (tx) => {
    await tx.db('notes').insert({ text: 'perhaps' });
    proxy.silence();
  });
  await expect(commits).rejects.toThrow(CommitUnknown);
  await closeMysql(db);
  await proxy.close();
});

describe('Statements', () => {
  test('A statement is given up at our own deadline, and the pool goes on', async () => {
    const db = openMysql({ ...cluster.config(), mysqlDeadlineMs: 200, mysqlConnections: 1 });
    const failure = await db.raw('SELECT SLEEP(5)').catch((error: unknown) => error);
    expect(isUnreachable(failure)).toBe(true);
    expect(await db.raw('SELECT 1')).toBeTruthy();
    await closeMysql(db);
  });

  test('A statement that finds no free connection fails at the acquire deadline', async () => {
    const db = openMysql({ ...cluster.config(), mysqlAcquireMs: 1000, mysqlConnections: 1 });
    // The connection is opened first, because a slow machine may take long to open one.
    await db.raw('SELECT 1');
    // Knex starts a query only when it is awaited.
    const busy = db.raw('SELECT SLEEP(2)').then(() => 'slept');
    const failure = await db.raw('SELECT 1').catch((error: unknown) => error);
    expect(isUnreachable(failure)).toBe(true);
    expect(await busy).toBe('slept');
    await closeMysql(db);
  });
});
