// A Galera cluster of three behind HAProxy: its writer is killed, frozen and cut off under load; another takes over.
import type { RowDataPacket } from 'mysql2/promise';
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { closeMysql, openMysql } from '../../../src/kernel/mysql/pool';
import { retryDeadlocks } from '../../../src/kernel/mysql/retry-deadlocks';
import { TakesNoWrites, checkTakesWrites } from '../../../src/kernel/health/health';
import { startGalera, type Galera } from '../../support/servers/galera';
import type { GaleraServer } from '../../support/servers/galera-server';
import { killAll } from '../../support/processes/processes';
import { signal } from '../../support/servers/sentinels';
import { ownDirectory } from '../../support/servers/services';
import { until } from '../../support/until';
import { FailoverLoad, noteFigures } from '../redis/failover-load';

/** Only `npm run faults` has the time, and needs a Galera. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '0');
const withGalera = ROUNDS > 0 && hasPrograms(['galera']) ? describe : describe.skip;
/** From the fault on. */
const WRITES_MS = 10_000;

jest.setTimeout(900_000 + ROUNDS * 120_000);

withGalera('A writer', () => {
  const own = ownDirectory();
  let galera: Galera;
  let load: FailoverLoad;

  beforeAll(async () => {
    galera = await startGalera(own.path);
    const shared = process.env['TEST_DATABASE_URL'];
    process.env['TEST_DATABASE_URL'] = galera.url;
    load = await FailoverLoad.open({ MYSQL_ACQUIRE_MS: '2000' }).finally(() => {
      process.env['TEST_DATABASE_URL'] = shared;
    });
  });
  afterAll(async () => {
    await load?.close().catch(() => {});
    await killAll();
    await galera?.close();
    own.remove();
  });

  async function measure(since: number) {
    const kinds = ['messages', 'texts', 'jobs'] as const;
    const taken = await Promise.all(kinds.map((kind) => load.goesOn(kind, since)));
    expect(Math.max(...taken)).toBeLessThan(WRITES_MS);
    return Object.fromEntries(kinds.map((kind, place) => [kind, taken[place]!]));
  }

  /** The number of rows of every kind of work on the server. */
  async function rowsOf(server: GaleraServer): Promise<string> {
    const connection = await server.connect();
    const name = new URL(load.environment['DATABASE_URL']!).pathname.slice(1);
    const counts = ['chat_messages', 'tel_texts', 'kernel_outbox'].map(
      (table) => `(SELECT CONCAT(COUNT(*), ':', MAX(id)) FROM ${name}.${table}) AS ${table}`,
    );
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT ${counts.join(', ')}`);
    connection.destroy();
    return JSON.stringify(rows[0]);
  }

  async function expectAll(fault: string, recovery: Record<string, number>[]): Promise<void> {
    const { figures, problems } = await load.finish();
    for (const { kind, ...counts } of figures) {
      const seconds = Math.max(...recovery.map((each) => each[kind] ?? 0)) / 1000;
      noteFigures(fault, { kind, ...counts, seconds });
      expect({ kind, lost: counts.lost, doubled: counts.doubled }).toEqual({ kind, lost: 0, doubled: 0 });
    }
    expect(problems).toEqual([]);
    // Outbox rows are still being marked and swept.
    await until(
      () => Promise.all(galera.servers.map(rowsOf)),
      (all) => new Set(all).size === 1,
      30_000,
    );
  }

  test.each([
    ['killed', (server) => server.kill(), (server) => server.revive()],
    ['frozen, then back', (server) => Promise.resolve(signal(server.pid, 'SIGSTOP')), thaw],
    ['cut off from the others, then back', (server) => server.isolate(true), (server) => server.isolate(false)],
  ] satisfies [string, (server: GaleraServer) => Promise<void>, (server: GaleraServer) => Promise<void>][])(
    '%s: nothing acknowledged is lost, writes are back within 10 s, and all servers agree in the end',
    async (name, fault, repair) => {
      const recovery = [];
      load.start();
      for (let round = 0; round < ROUNDS; round += 1) {
        const writer = await galera.writer();
        const since = Date.now();
        await fault(writer);
        recovery.push(await measure(since));
        expect(await galera.writer()).not.toBe(writer);
        await repair(writer);
        await galera.isWhole();
      }
      await expectAll(`Galera writer ${name}`, recovery);
    },
  );

  test('A Galera server that is cut off from its cluster reports that it accepts no writes', async () => {
    const writer = await galera.writer();
    const url = new URL(galera.url);
    url.port = String(writer.port);
    const db = openMysql({ databaseUrl: url.href, mysqlConnections: 1, mysqlDeadlineMs: 5000, mysqlAcquireMs: 5000 });
    await checkTakesWrites(db);
    await writer.isolate(true);
    const refusal = () => checkTakesWrites(db).catch((error: unknown) => error);
    expect(String(await until(refusal, (error) => error instanceof TakesNoWrites, 30_000))).toMatch(/cut off/);
    await writer.isolate(false);
    await galera.isWhole();
    await closeMysql(db);
  });

  test('A transaction whose commit conflicts with another gets a deadlock from COMMIT, and its work is repeated as a whole', async () => {
    const [here, there] = galera.servers.map((server) => {
      const url = new URL(load.environment['DATABASE_URL']!);
      url.port = String(server.port);
      return openMysql({ databaseUrl: url.href, mysqlConnections: 4, mysqlDeadlineMs: 20_000, mysqlAcquireMs: 5000 });
    });
    await here!.raw('CREATE TABLE of_test (id INT PRIMARY KEY, amount INT NOT NULL)');
    await here!.raw('INSERT INTO of_test VALUES (1, 0)');
    let attempts = 0;
    const add = (db: typeof here) =>
      retryDeadlocks(() => {
        attempts += 1;
        return db!.transaction((trx) => trx('of_test').where({ id: 1 }).increment('amount', 1));
      });
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) await Promise.all([add(here), add(there)]);
    const amount = async (db: typeof here) => (await db!('of_test').first('amount')).amount as number;
    await until(
      () => Promise.all([amount(here), amount(there)]),
      (all) => all.every((each) => each === rounds * 2),
    );
    expect(attempts).toBeGreaterThan(rounds * 2);
    await Promise.all([closeMysql(here!), closeMysql(there!)]);
  });
});

function thaw(server: GaleraServer): Promise<void> {
  signal(server.pid, 'SIGCONT');
  return Promise.resolve();
}
