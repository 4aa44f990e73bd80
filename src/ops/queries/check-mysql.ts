/** Checks whether the database gives the guarantees that Partyline's transactions need. */
import type { Kernel } from '../../kernel/kernel';
import type { Database } from '../../kernel/mysql/pool';
import { hasCaughtUp, openCommitted } from '../../kernel/mysql/read-from';
import { fail, ok, versionNumber, warn, type Finding, type Report } from '../model/finding';
import * as server from '../store/server';

const OLDEST = { MariaDB: { text: '10.6', number: 10_006 }, MySQL: { text: '8.0', number: 8000 } } as const;
const TESTED = { product: 'MariaDB', text: '10.11', number: 10_011 } as const;

/** `connections` is the number that all processes together may open. */
export async function checkMysql(db: Database, connections: number): Promise<Report> {
  const variables = await server.variables(db);
  const tables = await server.tables(db);
  return {
    findings: [
      checkVersion(variables['version'] ?? ''),
      checkTls(await server.session(db)),
      checkIsolation(variables['tx_isolation'] ?? variables['transaction_isolation'] ?? 'unknown'),
      checkCharacters(variables, tables),
      checkEngine(variables['default_storage_engine'] ?? 'unknown', tables),
      checkConnections(Number(variables['max_connections']), connections),
    ],
    clockAheadMs: await clockAhead(db),
  };
}

export async function mysqlVersion(db: Database): Promise<string> {
  return describeVersion((await server.variables(db))['version'] ?? '').text;
}

async function clockAhead(mysql: Kernel['mysql']): Promise<number> {
  const asked = Date.now();
  const now = await server.nowMs(mysql);
  return now - (asked + Date.now()) / 2;
}

/** For example "10.11.6-MariaDB-0+deb12u1" or "8.0.36". */
function describeVersion(version: string) {
  const product = /mariadb/i.test(version) ? ('MariaDB' as const) : ('MySQL' as const);
  return { product, text: `${product} ${/^[\d.]+/.exec(version)?.[0] ?? version}`, number: versionNumber(version) };
}

export function checkVersion(version: string): Finding {
  const { product, text, number } = describeVersion(version);
  const oldest = OLDEST[product];
  if (number < oldest.number) return fail('mysql-version', text, `Use ${product} ${oldest.text} or newer.`);
  if (product === TESTED.product && number === TESTED.number) return ok('mysql-version', text);
  const advice = `Prefer ${TESTED.product} ${TESTED.text}, which the tests run on.`;
  return warn('mysql-version', `${text} has not been tried`, advice);
}

const THIS_MACHINE = /^(localhost|127\..*|::1)?$/;

function checkTls({ cipher, host }: server.OurSession): Finding {
  const check = 'mysql-tls';
  if (cipher !== '') return ok(check, `encrypted with ${cipher}`);
  if (THIS_MACHINE.test(host)) return ok(check, 'not encrypted, and on this machine');
  return warn(
    check,
    `not encrypted, though this machine connects from ${host}`,
    'Unless the network is yours alone, add ?ssl=verify&ca=<PEM file> to DATABASE_URL.',
  );
}

function checkIsolation(level: string): Finding {
  if (level === 'READ-COMMITTED') return ok('mysql-isolation', 'our sessions run at READ COMMITTED');
  return fail(
    'mysql-isolation',
    `our sessions run at ${level}, though they ask for READ COMMITTED`,
    'Something between here and the server changes sessions: take the proxy out of DATABASE_URL.',
  );
}

function checkCharacters(variables: server.ServerVariables, tables: readonly server.OurTable[]): Finding {
  const check = 'mysql-characters';
  const wrong = tables.filter(({ collation }) => !collation.startsWith('utf8mb4'));
  if (wrong.length > 0) {
    const names = wrong.map(({ name }) => name).join(', ');
    const advice = 'Convert them: ALTER TABLE … CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci.';
    return fail(check, `not utf8mb4: ${names}`, advice);
  }
  for (const name of ['character_set_connection', 'character_set_database']) {
    if (variables[name] === 'utf8mb4') continue;
    return warn(check, `${name} is ${variables[name]}, not utf8mb4`, 'ALTER DATABASE … CHARACTER SET utf8mb4.');
  }
  return ok(check, 'utf8mb4 throughout');
}

function checkEngine(standard: string, tables: readonly server.OurTable[]): Finding {
  const check = 'mysql-engine';
  const wrong = tables.filter(({ engine }) => engine !== 'InnoDB').map(({ name, engine }) => `${name} (${engine})`);
  if (wrong.length > 0) return fail(check, `not InnoDB: ${wrong.join(', ')}`, 'ALTER TABLE … ENGINE = InnoDB.');
  if (standard === 'InnoDB') return ok(check, 'InnoDB');
  return fail(check, `new tables become ${standard}`, 'Set default_storage_engine = InnoDB.');
}

function checkConnections(most: number, needed: number): Finding {
  const says = `${most} connections allowed, ours may open ${needed}`;
  if (most > needed) return ok('mysql-connections', says);
  return warn('mysql-connections', says, 'Raise max_connections, or lower MYSQL_CONNECTIONS.');
}

const check = 'mysql-replica';

/** Checks whether the read replica for lists and searches keeps up with the primary. */
export async function checkReplica(primary: Database, replica: Database, waitMs: number): Promise<Finding> {
  const committed = await openCommitted(primary)();
  if (!committed) {
    return warn(
      check,
      'the primary writes no binary log, so the replica is never read from',
      'Set log_bin on the primary.',
    );
  }
  if (await hasCaughtUp(replica, committed, waitMs)) return ok(check, 'has all that the primary has committed');
  const advice = 'Let it follow by GTID (SHOW REPLICA STATUS on it says why not), or raise REPLICA_WAIT_MS.';
  return warn(check, `lags by more than ${waitMs} ms, so the primary is read from instead`, advice);
}
