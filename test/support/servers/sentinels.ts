/** A Redis that fails over: a primary, two replicas and three Sentinels, real processes on loopback. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { converse, onFreePorts } from '../../../scripts/lib/ports';
import { startServer } from '../../../scripts/lib/servers/server-process';
import { programFor } from '../../../scripts/lib/test/test-programs';
import { startRedis } from './services';
import { until } from '../until';

type Server = Awaited<ReturnType<typeof startRedis>>;

export const NAME = 'main';
const PASSWORD = 'secret-of-redis';
const SENTINEL_PASSWORD = 'secret-of-sentinels';
/** A primary that is silent for this long counts as dead. */
const DOWN_AFTER_MS = 1500;

export interface Sentinels {
  /** The environment of processes that use it. */
  readonly environment: Record<string, string>;
  readonly ports: readonly number[];
  /** The server that Sentinels call the primary. */
  primary(): Promise<Server>;
  /** Resolves with the time when another server has become the primary. */
  promotion(): Promise<number>;
  /** From now on no write to the primary reaches a replica. The returned function lets replicas connect again. */
  cutReplicas(): Promise<() => Promise<void>>;
  /** Starts a server that was killed; Sentinels make it a replica. */
  revive(server: Server): Promise<void>;
  /** Waits until the primary has this many replicas in sync. */
  hasReplicas(count: number): Promise<void>;
  close(): Promise<void>;
}

const startMember = (dir: string, primaryPort: number | undefined, port?: number) =>
  startRedis({
    dir,
    password: PASSWORD,
    ...(port === undefined ? {} : { port }),
    extra: [
      `masterauth ${PASSWORD}`,
      'repl-diskless-sync-delay 0',
      ...(primaryPort === undefined ? [] : [`replicaof 127.0.0.1 ${primaryPort}`]),
    ],
  });

/** One Sentinel with these lines of configuration, and with those of a TLS port if it has one. */
export async function startSentinel(dir: string, lines: readonly string[], ofTls = (_port: number): string[] => []) {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'sentinel.conf');
  const { path: command, env } = programFor('redis');
  return onFreePorts(async (next) => {
    const [port, tlsPort] = [await next(), await next()];
    const own = [`port ${port}`, 'bind 127.0.0.1', `dir "${dir}"`, ''];
    writeFileSync(file, [...lines, ...ofTls(tlsPort), ...own].join('\n'));
    const isReady = async () => (await converse(port, { say: 'PING\r\n' })).length > 0;
    const server = await startServer('sentinel', { command, args: [file, '--sentinel'], env, isReady }, dir);
    return { ...server, port, tlsPort };
  });
}

export const watching = (port: number): string => `sentinel monitor ${NAME} 127.0.0.1 ${port} 2`;

export async function startSentinels(directory: string): Promise<Sentinels> {
  const members = [await startMember(join(directory, 'redis-0'), undefined)];
  const first = members[0]!.port;
  members.push(...(await Promise.all([1, 2].map((place) => startMember(join(directory, `redis-${place}`), first)))));
  const sentinels = await Promise.all(
    [0, 1, 2].map((place) =>
      startSentinel(join(directory, `sentinel-${place}`), [
        `requirepass ${SENTINEL_PASSWORD}`,
        watching(first),
        `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
        `sentinel auth-pass ${NAME} ${PASSWORD}`,
        `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${NAME} 6000`,
        `sentinel parallel-syncs ${NAME} 2`,
      ]),
    ),
  );
  const ports = sentinels.map(({ port }) => port);
  const operator = new Redis({ port: ports[0]!, password: SENTINEL_PASSWORD });
  const clients = new Map<number, Redis>();
  const clientOf = ({ port }: Server): Redis => {
    const known = clients.get(port) ?? new Redis({ port, password: PASSWORD });
    // For a server that the test has killed.
    if (!clients.has(port)) known.on('error', () => {});
    clients.set(port, known);
    return known;
  };
  const waiting = new Set<(at: number) => void>();
  const listener = operator.duplicate();
  await listener.subscribe('+switch-master');
  listener.on('message', () => {
    for (const resolve of waiting) resolve(Date.now());
    waiting.clear();
  });
  const factsOf = async () => {
    const facts = (await operator.call('SENTINEL', 'MASTER', NAME)) as string[];
    return (name: string) => Number(facts[facts.indexOf(name) + 1]);
  };
  const all: Sentinels = {
    environment: {
      REDIS_URL: `redis+sentinel://:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}/2`,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    },
    ports,
    async primary() {
      const port = (await factsOf())('port');
      return members.find((member) => member.port === port)!;
    },
    promotion: () => new Promise((resolve) => waiting.add(resolve)),
    async cutReplicas() {
      const primary = await all.primary();
      const replicas = members.filter((member) => member !== primary).map(clientOf);
      for (const replica of replicas) await replica.config('SET', 'masterauth', 'wrong');
      await clientOf(primary).call('CLIENT', 'KILL', 'TYPE', 'replica');
      return async () => {
        for (const replica of replicas) await replica.config('SET', 'masterauth', PASSWORD);
      };
    },
    async revive(server) {
      const place = members.indexOf(server);
      members[place] = await startMember(server.dir, undefined, server.port);
    },
    async hasReplicas(count) {
      const primary = clientOf(await all.primary());
      const online = async () => ((await primary.info('replication')).match(/state=online/g) ?? []).length;
      await until(online, (found) => found >= count);
    },
    async close() {
      for (const client of [operator, listener, ...clients.values()]) client.disconnect();
      for (const { pid } of [...members, ...sentinels]) signal(pid, 'SIGCONT');
      await Promise.all([...sentinels, ...members].map((server) => server.kill()));
    },
  };
  await all.hasReplicas(2);
  // A failover needs Sentinels that know each other and both replicas.
  await until(
    async () => {
      const of = await factsOf();
      return [of('num-other-sentinels'), of('num-slaves')];
    },
    ([others, replicas]) => others === 2 && replicas === 2,
  );
  return all;
}

/** Ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
