/** A Redis Cluster: three primaries, optionally with a replica each, as real processes on loopback. */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onFreePorts } from '../../../scripts/lib/ports';
import type { RedisCertificates } from './redis-certificates';
import { startRedis } from './services';
import { signal } from './sentinels';
import { until } from '../until';

type Server = Awaited<ReturnType<typeof startRedis>>;

const PASSWORD = 'secret-of-redis';
const SLOTS = 16_384;
/**
 * A node that is silent for this long counts as dead; without replicas nothing can take over, so a busy node gets more
 * time.
 */
const DEAD_AFTER_MS = { withReplicas: 1500, alone: 30_000 };
const SHARDS = 3;

export interface RedisCluster {
  /** The environment of processes that use it. */
  readonly environment: Record<string, string>;
  /** Where processes connect. */
  readonly ports: readonly number[];
  readonly servers: readonly Server[];
  /** The primary of the key. */
  primaryOf(key: string): Promise<Server>;
  /** Resolves with the time when another server has the key. */
  promotion(key: string, old: Server): Promise<number>;
  /** From now on no write to this primary reaches its replica. The returned function lets it connect again. */
  cutReplica(primary: Server): Promise<() => Promise<void>>;
  /** Starts a server that was killed; it becomes a replica. */
  revive(server: Server): Promise<void>;
  /** Waits until every primary has a replica that is in sync. */
  isWhole(): Promise<void>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly hasReplicas: boolean;
  readonly certificates?: RedisCertificates;
  /** `cluster-node-timeout`. */
  readonly deadAfterMs?: number;
}

interface Member {
  readonly dir: string;
  readonly deadAfterMs: number;
  readonly certificates?: RedisCertificates | undefined;
  readonly port?: number;
  readonly bus?: number;
}

const startMember = ({ deadAfterMs, certificates, bus: known, ...place }: Member) =>
  onFreePorts(async (next) => {
    const bus = known ?? (await next());
    const tlsPort = certificates ? await next() : undefined;
    const server = await startRedis({
      ...place,
      password: PASSWORD,
      extra: [
        `masterauth ${PASSWORD}`,
        'cluster-enabled yes',
        // By default it opens a second port, which may not exist.
        `cluster-port ${bus}`,
        `cluster-node-timeout ${deadAfterMs}`,
        // A replica that was cut off before its primary died may still take over: the test checks what it lacks.
        'cluster-replica-validity-factor 0',
        'cluster-allow-replica-migration no',
        'repl-diskless-sync-delay 0',
        ...(tlsPort && certificates ? [...certificates.lines(tlsPort), 'tls-cluster yes'] : []),
      ],
    });
    return { server, bus, tlsPort };
  });

export async function startRedisCluster(
  directory: string,
  { hasReplicas, certificates, ...options }: ClusterOptions,
): Promise<RedisCluster> {
  const places = Array.from({ length: hasReplicas ? SHARDS * 2 : SHARDS }, (_, place) => place);
  const deadAfterMs = options.deadAfterMs ?? DEAD_AFTER_MS[hasReplicas ? 'withReplicas' : 'alone'];
  const started = await Promise.all(
    places.map((place) => startMember({ dir: join(directory, `redis-${place}`), deadAfterMs, certificates })),
  );
  const members = started.map(({ server }) => server);
  const buses = started.map(({ bus }) => bus);
  const ports = started.map(({ server, tlsPort }) => tlsPort ?? server.port);
  const clients = new Map<number, Redis>();
  const clientOf = ({ port }: Server): Redis => {
    const known = clients.get(port) ?? new Redis({ port, password: PASSWORD, commandTimeout: 2000 });
    // For a server that the test has killed or frozen.
    if (!clients.has(port)) known.on('error', () => {});
    clients.set(port, known);
    return known;
  };

  await form(members, buses, clientOf);
  async function primaryOf(key: string, other?: Server): Promise<Server> {
    const found = await Promise.all(
      members.map(async (member) => {
        const redis = clientOf(member);
        try {
          const slot = Number(await redis.cluster('KEYSLOT', key));
          const ranges = (await redis.cluster('SLOTS')) as unknown as [number, number, [string, number]][];
          return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
        } catch {
          return undefined;
        }
      }),
    );
    // Of the servers that answer, the first that names a new primary has learned of the promotion first.
    const port = found.find((each) => each !== undefined && each !== other?.port) ?? found.find(Boolean);
    return members.find((member) => member.port === port)!;
  }
  async function replicaOf(primary: Server): Promise<Redis> {
    const id = String(await clientOf(primary).cluster('MYID'));
    // Nodes learn from each other which server follows which, so it may take a moment.
    const [line] = await until(
      async () => (await clientOf(primary).call('CLUSTER', 'REPLICAS', id)) as string[],
      ({ length }) => length > 0,
    );
    const port = Number(/:(\d+)@/.exec(line!)![1]);
    return clientOf(members.find((member) => member.port === port)!);
  }
  const all: RedisCluster = {
    environment: {
      REDIS_URL: `redis${certificates ? 's' : ''}+cluster://:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}${certificates?.options ?? ''}`,
    },
    ports,
    servers: members,
    primaryOf: (key) => primaryOf(key),
    async promotion(key, old) {
      await until(
        () => primaryOf(key, old),
        (primary) => primary.port !== old.port,
      );
      return Date.now();
    },
    async cutReplica(primary) {
      const replica = await replicaOf(primary);
      await replica.config('SET', 'masterauth', 'wrong');
      await clientOf(primary).call('CLIENT', 'KILL', 'TYPE', 'replica');
      return async () => void (await replica.config('SET', 'masterauth', PASSWORD));
    },
    async revive(server) {
      const place = members.indexOf(server);
      ({ server: members[place]! } = await startMember({
        dir: server.dir,
        deadAfterMs,
        port: server.port,
        bus: buses[place]!,
      }));
    },
    async isWhole() {
      await until(
        async () => {
          const infos = await Promise.all(
            members.map((member) =>
              clientOf(member)
                .info('replication')
                .catch(() => ''),
            ),
          );
          return [
            infos.filter((info) => /role:master/.test(info) && /state=online/.test(info)).length,
            infos.filter((info) => /master_link_status:up/.test(info)).length,
          ];
        },
        (counts) => counts.every((count) => count >= SHARDS),
      );
    },
    async close() {
      for (const client of clients.values()) client.disconnect();
      for (const { pid } of members) signal(pid, 'SIGCONT');
      await Promise.all(members.map((server) => server.kill()));
    },
  };
  if (hasReplicas) await all.isWhole();
  return all;
}

/** Gives each of the first three a third of the slots, and makes each of the others follow one of them. */
async function form(members: readonly Server[], buses: readonly number[], clientOf: (server: Server) => Redis) {
  const [first] = members;
  for (const [place, member] of members.entries()) {
    const redis = clientOf(member);
    await redis.cluster('SET-CONFIG-EPOCH', place + 1);
    if (place < SHARDS) {
      const from = Math.floor((SLOTS * place) / SHARDS);
      const to = Math.floor((SLOTS * (place + 1)) / SHARDS) - 1;
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    }
    if (member !== first) await redis.call('CLUSTER', 'MEET', '127.0.0.1', first!.port, buses[0]!);
  }
  const knowsAll = async (member: Server) => {
    const nodes = String(await clientOf(member).cluster('NODES')).trim();
    return nodes.split('\n').filter((line) => !line.includes('handshake')).length;
  };
  for (const member of members)
    await until(
      () => knowsAll(member),
      (count) => count === members.length,
    );
  for (const [place, member] of members.entries()) {
    if (place < SHARDS) continue;
    const id = String(await clientOf(members[place - SHARDS]!).cluster('MYID'));
    await clientOf(member).cluster('REPLICATE', id);
  }
  const isOk = async (member: Server) => /cluster_state:ok/.test(String(await clientOf(member).cluster('INFO')));
  for (const member of members) await until(() => isOk(member));
}
