/** Hears from Sentinels that another server is the primary now. A connection to a frozen one would not notice by itself. */
import { Redis } from 'ioredis';
import type { Log } from '../log';
import type { RedisOptions } from './address';

const SWITCH = '+switch-master';

/**
 * One connection to each Sentinel for the whole process. The failover detector of ioredis would make them for each of our
 * connections, and it gives a connection up for good that is cut while Sentinels are being asked. The listener gets "name
 * old-host old-port new-host new-port" from each Sentinel, so several times; what none of them could tell us, deadlines
 * find out later.
 */
function watchSentinels(address: RedisOptions, onSwitch: (news: string) => void, log: Log): Redis[] {
  return (address.sentinels ?? []).map(({ host = '', port = 0 }) => {
    const sentinel = new Redis({
      host,
      port,
      ...(address.sentinelPassword ? { password: address.sentinelPassword } : {}),
      ...(address.sentinelTLS ? { tls: address.sentinelTLS } : {}),
      ...(address.connectionName ? { connectionName: address.connectionName } : {}),
      ...(address.retryStrategy ? { retryStrategy: address.retryStrategy } : {}),
      maxRetriesPerRequest: null,
    });
    sentinel.on('error', (error: Error) => log.debug({ error, sentinel: `${host}:${port}` }, 'sentinel connection'));
    sentinel.on('message', (_, news: string) => {
      if (news.startsWith(`${address.name} `)) onSwitch(news);
    });
    sentinel.subscribe(SWITCH).catch((error: Error) => log.debug({ error }, 'could not listen to a sentinel'));
    return sentinel;
  });
}

/**
 * Another server is the primary: connections to the old one are cut. Each Sentinel tells it, and until it does, it may
 * have sent a new connection to the old primary, which perhaps does not answer: that one is cut as well.
 */
export function followSentinels(address: RedisOptions, opened: readonly Redis[], log: Log): Redis[] {
  let newest = '';
  function followSwitch(news: string): void {
    const isNew = news !== newest;
    newest = news;
    for (const redis of opened) {
      if (redis.status === 'connect' || (isNew && redis.status === 'ready')) redis.disconnect(true);
    }
    if (isNew) log.warn({ news }, 'another Redis is the primary now');
  }
  return watchSentinels(address, followSwitch, log);
}
