/** Checks whether Redis is safe for Partyline's events and jobs. */
import type { BriefRedis } from '../../kernel/redis/brief';
import { isCluster, serversOf } from '../../kernel/redis/cluster';
import { fail, ok, versionNumber, warn, type Finding, type Report } from '../model/finding';

const OLDEST = { text: '6.2', number: 6002 };
const TESTED = { text: '7.0', number: 7000 };
/** Above this share of maxmemory, writes are about to be refused. */
const FULL = 0.8;

export async function checkRedis(redis: BriefRedis): Promise<Report> {
  const servers = serversOf(redis);
  const infos = await answersOf(servers.map(infoOf));
  const clocks = await answersOf(servers.map(clockAhead));
  const worst = (check: (info: Info) => Finding): Finding =>
    infos.map(check).reduce((one, other) => (RANK[other.level] > RANK[one.level] ? other : one));
  return {
    findings: [
      worst((info) => checkVersion(info['redis_version'] ?? '')),
      isCluster(redis) ? await checkShards(redis, infos, servers.length) : worst(checkRole),
      worst((info) => checkEviction(info['maxmemory_policy'] ?? 'unknown')),
      worst((info) => checkPersistence(info['aof_enabled'] === '1')),
      worst((info) => checkMemory(Number(info['used_memory']), Number(info['maxmemory']))),
    ],
    clockAheadMs: clocks.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one)),
  };
}

type Info = Readonly<Record<string, string>>;
const RANK = { ok: 0, warn: 1, fail: 2 } as const;
/** Summed over all primaries of a cluster. */
const ADDED_UP = ['connected_clients', 'used_memory'];

/** The answers of the servers that respond. Throws if none does. */
async function answersOf<T>(questions: readonly Promise<T>[]): Promise<T[]> {
  const answers = await Promise.allSettled(questions);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  return found.length > 0 ? found : Promise.all(questions);
}

/** Uses INFO, because hosted servers refuse CONFIG GET. */
export async function redisInfo(redis: BriefRedis): Promise<Record<string, string>> {
  const infos = await answersOf(serversOf(redis).map(infoOf));
  const sums = ADDED_UP.map((name) => [name, String(infos.reduce((sum, info) => sum + Number(info[name]), 0))]);
  return { ...infos[0], ...(Object.fromEntries(sums) as Info) };
}

async function infoOf(redis: BriefRedis): Promise<Info> {
  const lines = (await redis.info()).split(/\r?\n/).filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** Compared with the midpoint of the round trip. */
async function clockAhead(redis: BriefRedis): Promise<number> {
  const asked = Date.now();
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return seconds! * 1000 + microseconds! / 1000 - (asked + Date.now()) / 2;
}

function checkVersion(version: string): Finding {
  const number = versionNumber(version);
  const says = `Redis ${version}`;
  if (number < OLDEST.number) return fail('redis-version', says, `Use Redis ${OLDEST.text} or newer.`);
  if (number === TESTED.number) return ok('redis-version', says);
  return warn('redis-version', `${says} has not been tried`, `Prefer ${TESTED.text}, which the tests run on.`);
}

function checkRole(info: Info): Finding {
  if (info['role'] !== 'master') return fail('redis-role', 'a replica', 'Name the primary in REDIS_URL.');
  return ok('redis-role', 'a primary');
}

async function checkShards(redis: BriefRedis, infos: readonly Info[], primaries: number): Promise<Finding> {
  const isWhole = /^cluster_state:ok/m.test(await redis.cluster('INFO'));
  if (!isWhole || infos.length < primaries) {
    const advice = 'Ask a node for "cluster nodes": some slots have no primary.';
    return fail('redis-role', 'a Redis Cluster that is down, at least in part', advice);
  }
  const count = infos.length;
  const hasReplicas = infos.every((info) => Number(info['connected_slaves']) > 0);
  if (hasReplicas) return ok('redis-role', `${count} primaries of a Redis Cluster`);
  return warn(
    'redis-role',
    `${count} primaries of a Redis Cluster, not all with a replica`,
    'Give each primary a replica, to take over from it.',
  );
}

function checkEviction(policy: string): Finding {
  if (policy === 'noeviction') return ok('redis-eviction', 'maxmemory-policy is noeviction');
  return fail(
    'redis-eviction',
    `maxmemory-policy is ${policy}: events and jobs can vanish without a word`,
    'Set "maxmemory-policy noeviction" in redis.conf.',
  );
}

function checkPersistence(isAppending: boolean): Finding {
  if (isAppending) return ok('redis-persistence', 'appendonly is on');
  return warn(
    'redis-persistence',
    'appendonly is off: a restart forgets event queues, and clients register anew',
    'Set "appendonly yes" and "appendfsync everysec" in redis.conf.',
  );
}

function checkMemory(used: number, most: number): Finding {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MB`;
  if (!(most > 0)) return ok('redis-memory', `${megabytes(used)} used, no limit of its own`);
  const says = `${megabytes(used)} used of ${megabytes(most)}`;
  if (used < most * FULL) return ok('redis-memory', says);
  return warn('redis-memory', says, 'Raise maxmemory: a full Redis refuses to write.');
}
