/** A MariaDB Galera cluster of three behind HAProxy, which chooses one writer: real processes on loopback. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { startupSql } from '../../../scripts/lib/servers/mariadb';
import { converse, onFreePorts } from '../../../scripts/lib/ports';
import { startServer } from '../../../scripts/lib/servers/server-process';
import { programFor } from '../../../scripts/lib/test/test-programs';
import { openServer, PASSWORD, type GaleraServer, type Place } from './galera-server';
import { signal } from './sentinels';
import { startMariadb } from './services';
import { until } from '../until';

const HAPROXY = resolve(__dirname, '../../../deploy/galera-haproxy.cfg');

export interface Galera {
  readonly servers: readonly GaleraServer[];
  /** Through HAProxy, with the privileges that our processes need. */
  readonly url: string;
  /** The server to which HAProxy currently sends clients. */
  writer(): Promise<GaleraServer>;
  /** Waits until all servers are in the cluster and in sync. */
  isWhole(): Promise<void>;
  close(): Promise<void>;
}

/** The name pattern of test databases. With global privileges, init_connect would not run. */
const ACCOUNTS = [
  "CREATE USER 'galera_check'@'%';",
  `CREATE USER 'app'@'%' IDENTIFIED BY '${PASSWORD}';`,
  "GRANT ALL ON `partyline%`.* TO 'app'@'%';",
];

type Group = Pick<Place, 'ports' | 'next'>;

/**
 * The initial data directory of all servers, with the accounts. It is already that of a cluster, so no server has to
 * send another a copy.
 */
async function makeTemplate(dir: string, group: Group): Promise<string> {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'accounts.sql');
  writeFileSync(file, `${startupSql(PASSWORD, true)}${ACCOUNTS.join('\n')}\n`);
  const options = { dir, password: PASSWORD, durable: false, program: programFor('galera') };
  await (await startMariadb({ ...options, extra: [`--init-file=${file}`] })).stop();
  const first = await openServer(0, { dir: join(dir, 'cluster'), template: join(dir, 'data'), ...group });
  await first.start('--wsrep-new-cluster');
  await first.stop();
  return join(dir, 'cluster/data');
}

async function startBalancer(dir: string, servers: readonly GaleraServer[], port: number) {
  const { path: command, env } = programFor('haproxy');
  const places = servers.map((server, place) => [`GALERA_SERVER_${place + 1}`, `127.0.0.1:${server.port}`]);
  const process = await startServer(
    'haproxy',
    {
      command,
      args: ['-db', '-f', HAPROXY],
      env: { ...env, GALERA_BIND: `127.0.0.1:${port}`, ...(Object.fromEntries(places) as Record<string, string>) },
      // HAProxy closes it without a greeting while no server is up.
      isReady: async () => (await converse(port)).length > 0,
    },
    dir,
  );
  return { process, url: `mysql://app:${PASSWORD}@127.0.0.1:${port}/partyline` };
}

async function hasWholeState(server: GaleraServer): Promise<boolean> {
  const connection = await server.connect().catch(() => undefined);
  if (!connection) return false;
  const [rows] = await connection.query<RowDataPacket[]>("SHOW STATUS LIKE 'wsrep_%'").catch(() => [[]]);
  connection.destroy();
  const status = Object.fromEntries(rows.map((row) => [row['Variable_name'], row['Value']])) as Record<string, string>;
  return status['wsrep_cluster_size'] === '3' && status['wsrep_local_state_comment'] === 'Synced';
}

export const startGalera = (directory: string): Promise<Galera> =>
  onFreePorts(async (next) => {
    const group = { ports: [await next(), await next(), await next()], next };
    const dir = mkdtempSync(join(directory, 'galera-'));
    const template = await makeTemplate(join(dir, 'template'), group);
    const servers = await Promise.all(
      group.ports.map((_, place) => openServer(place, { dir: join(dir, `server-${place}`), template, ...group })),
    );
    try {
      return await startAll(dir, servers, await next());
    } catch (error) {
      await Promise.all(servers.map((server) => server.kill()));
      throw error;
    }
  });

async function startAll(dir: string, servers: readonly GaleraServer[], port: number): Promise<Galera> {
  const isWhole = () =>
    until(
      async () => Promise.all(servers.map(hasWholeState)),
      (each) => each.every(Boolean),
      60_000,
    );
  await servers[0]!.start('--wsrep-new-cluster');
  await Promise.all(servers.slice(1).map((server) => server.start()));
  await isWhole();
  const balancer = await startBalancer(dir, servers, port);
  return {
    servers,
    url: balancer.url,
    async writer() {
      // HAProxy may need a few more checks than the servers to find them healthy again; on a busy machine, all checks
      // fail.
      const connection = await until(
        () => createConnection(balancer.url).catch(() => undefined),
        (made) => made !== undefined,
      );
      const [rows] = await connection!.query<RowDataPacket[]>('SELECT @@port AS port');
      connection!.destroy();
      return servers.find(({ port }) => port === rows[0]!['port'])!;
    },
    isWhole: async () => void (await isWhole()),
    async close() {
      for (const { pid } of servers) signal(pid, 'SIGCONT');
      await Promise.all([balancer.process, ...servers].map((each) => each.kill()));
    },
  };
}
