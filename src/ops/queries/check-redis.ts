/** Whether a Redis is one that Partyline can trust its events and jobs to. */
import type { BriefRedis } from '../../kernel/redis/brief';
import { fail, ok, versionNumber, warn, type Finding } from '../model/finding';

export interface RedisReport {
  readonly findings: readonly Finding[];
  /** How far its clock is ahead of ours. */
  readonly clockAheadMs: number;
}

const OLDEST = { text: '6.2', number: 6002 };
const TESTED = { text: '7.0', number: 7000 };
/** Above this part of maxmemory, writes are about to be refused. */
const FULL = 0.8;

export async function checkRedis(redis: BriefRedis): Promise<RedisReport> {
  const info = await redisInfo(redis);
  return {
    findings: [
      checkVersion(info['redis_version'] ?? ''),
      checkRole(info),
      checkEviction(info['maxmemory_policy'] ?? 'unknown'),
      checkPersistence(info['aof_enabled'] === '1'),
      checkMemory(Number(info['used_memory']), Number(info['maxmemory'])),
    ],
    clockAheadMs: await clockAhead(redis),
  };
}

/** INFO instead of CONFIG GET, which hosted servers refuse. */
export async function redisInfo(redis: BriefRedis): Promise<Record<string, string>> {
  const lines = (await redis.info()).split(/\r?\n/).filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

/** Compared with the middle of the question's way. */
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

function checkRole(info: Record<string, string>): Finding {
  if (info['role'] !== 'master') return fail('redis-role', 'a replica', 'Name the primary in REDIS_URL.');
  if (info['cluster_enabled'] === '1') {
    return fail('redis-role', 'a node of a Redis Cluster', 'Use one primary: BullMQ and pub/sub are not sharded.');
  }
  return ok('redis-role', 'a primary');
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
