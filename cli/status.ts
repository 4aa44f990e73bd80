/** Shows the current status of the installation. */
import type { Command } from 'commander';
import type { Config } from '../config/index';
import { countAccounts } from '../src/chat/queries/organisation/find-realm';
import { exchangeHttp } from '../src/kernel/outbound/http-exchange';
import { listQueueDepths } from '../src/kernel/jobs/queue-report';
import { pendingMigrations } from '../src/kernel/mysql/migrate';
import { mysqlVersion } from '../src/ops/queries/check-mysql';
import { redisInfo } from '../src/ops/queries/check-redis';
import { getBacklog } from '../src/ops/queries/look-around';
import { migrationFolders, productsOf } from '../src/products';
import { countCompanies } from '../src/telephony/queries/companies/companies';
import { version } from '../src/version';
import { lookAtMysql, lookAtRedis, mysqlAddress, redisAddress, reasonOf } from './servers';
import { withConfig } from './session';
import { columns, counted } from './text';

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('Redis, MySQL, migrations, what is stored, what waits, and the nodes')
    .action(
      withConfig(async (config) => {
        const status = await lookAround(config);
        return { data: status, text: statusText(status), exitCode: isUsable(status) ? 0 : 1 };
      }),
    );
}

type Status = Awaited<ReturnType<typeof lookAround>>;

async function lookAround(config: Config) {
  const [redis, mysql, nodes] = await Promise.all([
    attempt(redisAddress(config), () => redisStatus(config)),
    attempt(mysqlAddress(config), () => mysqlStatus(config)),
    lookAtNodes(config),
  ]);
  return { version, node_version: process.version, environment: config.nodeEnv, redis, mysql, nodes };
}

type Attempt<T> = { ok: true; address: string } & T;

async function attempt<T>(address: string, look: () => Promise<T>): Promise<Attempt<T> | Away> {
  try {
    return { ok: true, address, ...(await look()) };
  } catch (error) {
    return { ok: false, address, error: reasonOf(error) };
  }
}

interface Away {
  ok: false;
  address: string;
  error: string;
}

const redisStatus = (config: Config) =>
  lookAtRedis(config, async (redis) => {
    const info = await redisInfo(redis);
    return {
      version: info['redis_version'] ?? 'unknown',
      used_memory_bytes: Number(info['used_memory']),
      clients: Number(info['connected_clients']),
      queues: await listQueueDepths(redis, config.namespace),
    };
  });

const mysqlStatus = (config: Config) =>
  lookAtMysql(config, async (mysql) => {
    const about = { version: await mysqlVersion(mysql) };
    const pending = await pendingMigrations(mysql, migrationFolders(productsOf(config)));
    // Without its tables there is nothing to count.
    if (pending.length > 0) return { ...about, pending_migrations: pending };
    const { rows, oldestMs } = await getBacklog(mysql);
    return {
      ...about,
      pending_migrations: pending,
      outbox: { pending: rows, oldest_ms: oldestMs },
      ...(config.products.includes('chat') ? { chat: await countAccounts(mysql) } : {}),
      ...(config.products.includes('telephony') ? { telephony: { companies: await countCompanies(mysql) } } : {}),
    };
  });

const isUsable = ({ redis, mysql }: Status): boolean => redis.ok && mysql.ok && mysql.pending_migrations.length === 0;

interface NodeStatus {
  readonly url: string;
  readonly status: 'ready' | 'not ready' | 'not answering';
  /** The node's own name. */
  readonly name: string | null;
}

const DEADLINE_MS = 2500;
const MAX_BYTES = 64 * 1024;

/** Node i listens on PORT + i − 1. Nodes of other machines are unknown here. */
function lookAtNodes(config: Config): Promise<NodeStatus[]> {
  if (config.port === 0) return Promise.resolve([]);
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const urls = Array.from({ length: config.nodes }, (_, index) => `http://${host}:${config.port + index}`);
  return Promise.all(urls.map(lookAtNode));
}

async function lookAtNode(url: string): Promise<NodeStatus> {
  try {
    const call = { method: 'GET', deadlineMs: DEADLINE_MS };
    const { status, text } = await exchangeHttp(new URL('/readyz', url), call, { agent: false, maxBytes: MAX_BYTES });
    const { node } = JSON.parse(text) as { node?: unknown };
    // Another program listens on that port.
    if (typeof node !== 'string') return { url, status: 'not answering', name: null };
    return { url, status: status === 200 ? 'ready' : 'not ready', name: node };
  } catch {
    return { url, status: 'not answering', name: null };
  }
}

/** Formats the status of an installation for people. */
function statusText(status: Status): string {
  const { version, environment, node_version: nodeVersion, redis, mysql, nodes } = status;
  return columns([
    ['partyline', `${version} on Node.js ${nodeVersion}, ${environment}`],
    ...redisLines(redis),
    ...mysqlLines(mysql),
    ...nodes.map(({ url, status: state }, index) => [index === 0 ? 'nodes' : ' ', `${url} ${state}`]),
  ]);
}

const MEGABYTE = 1_048_576;

function redisLines(redis: Status['redis']): string[][] {
  if (!redis.ok) return [['redis', `${redis.address} cannot be used: ${redis.error}`]];
  const memory = `${Math.ceil(redis.used_memory_bytes / MEGABYTE)} MB`;
  const about = `Redis ${redis.version} at ${redis.address}, ${memory}, ${counted(redis.clients, 'client')}`;
  const queues = redis.queues.map(
    ({ queue, waiting, active, delayed, failed }) =>
      `${queue}: ${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed`,
  );
  return [['redis', about], ...queues.map((line, index) => [index === 0 ? 'queues' : ' ', line])];
}

function mysqlLines(mysql: Status['mysql']): string[][] {
  if (!mysql.ok) return [['mysql', `${mysql.address} cannot be used: ${mysql.error}`]];
  const pending = mysql.pending_migrations.length;
  const lines = [
    ['mysql', `${mysql.version} at ${mysql.address}`],
    ['migrations', pending === 0 ? 'none pending' : `${pending} pending: run "partyline migrate"`],
  ];
  if (!('outbox' in mysql)) return lines;
  const { outbox, chat, telephony } = mysql;
  if (chat) lines.push(['chat', `${counted(chat.realms, 'organization')}, ${counted(chat.users, 'user')}`]);
  if (telephony) lines.push(['telephony', counted(telephony.companies, 'company', 'companies')]);
  const age = outbox.oldest_ms === null ? '' : `, the oldest for ${(outbox.oldest_ms / 1000).toFixed(1)} s`;
  lines.push(['outbox', `${counted(outbox.pending, 'row')} pending${age}`]);
  return lines;
}
