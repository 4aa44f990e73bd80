/** Shows the current status of the installation. */
import type { Command } from 'commander';
import type { Config } from '../config';
import { countAccounts } from '../src/chat/queries/organisation/find-realm';
import { listQueueDepths } from '../src/kernel/jobs/depths';
import { pendingMigrations } from '../src/kernel/mysql/migrate';
import { mysqlVersion } from '../src/ops/queries/check-mysql';
import { redisInfo } from '../src/ops/queries/check-redis';
import { getBacklog } from '../src/ops/queries/look-around';
import { migrationFolders, productsOf } from '../src/products';
import { countCompanies } from '../src/telephony/queries/companies/companies';
import { version } from '../src/version';
import { lookAtNodes } from './nodes';
import { lookAtMysql, lookAtRedis, mysqlAddress, redisAddress, reasonOf } from './servers';
import { withConfig } from './session';
import { statusText } from './status-text';

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

export type Status = Awaited<ReturnType<typeof lookAround>>;

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
    const about = { version: await mysqlVersion({ mysql }) };
    const pending = await pendingMigrations(mysql, migrationFolders(productsOf(config)));
    // Without its tables there is nothing to count.
    if (pending.length > 0) return { ...about, pending_migrations: pending };
    const { rows, oldestMs } = await getBacklog({ mysql });
    return {
      ...about,
      pending_migrations: pending,
      outbox: { pending: rows, oldest_ms: oldestMs },
      ...(config.products.includes('chat') ? { chat: await countAccounts({ mysql }) } : {}),
      ...(config.products.includes('telephony') ? { telephony: { companies: await countCompanies({ mysql }) } } : {}),
    };
  });

const isUsable = ({ redis, mysql }: Status): boolean => redis.ok && mysql.ok && mysql.pending_migrations.length === 0;
