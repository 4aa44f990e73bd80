/** Learns from Sentinels that another server is the primary. A connection to a frozen primary would not notice. */
import { Redis } from 'ioredis';
import type { Log } from '../log';
import type { RedisOptions } from './address';
import { toNamedServer } from './connector';

const SWITCH = '+switch-master';

/**
 * One connection to each Sentinel per process. The failover detector of ioredis would open one for each of our
 * connections, and gives up for good a connection that is cut while it asks Sentinels. Each Sentinel sends "name
 * old-host old-port new-host new-port", so the listener gets it several times. If no Sentinel can reach us, deadlines
 * detect the switch later.
 */
function watchSentinels(address: RedisOptions, onSwitch: (news: string) => void, log: Log): Redis[] {
  return (address.sentinels ?? []).map(({ host = '', port = 0 }) => {
    const sentinel = new Redis({
      host,
      port,
      ...(address.sentinelPassword ? { password: address.sentinelPassword } : {}),
      ...(address.sentinelTLS ? { tls: address.sentinelTLS, Connector: toNamedServer } : {}),
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
 * Cuts connections to the old primary. Before a Sentinel reports the switch, it may have sent a new connection to the
 * old primary, which perhaps does not answer: that one is cut too.
 */
export function followSentinels(address: RedisOptions, opened: readonly Redis[], log: Log): Redis[] {
  let newest = '';
  function followSwitch(news: string): void {
    const isNew = news !== newest;
    newest = news;
    for (const redis of opened) {
      if (redis.status === 'connect' || (isNew && redis.status === 'ready')) redis.disconnect(true);
    }
    if (isNew) log.warn({ news }, 'Redis has a new primary');
  }
  return watchSentinels(address, followSwitch, log);
}
