/** Probes for load balancers and operators: liveness, readiness and metrics of every process. */
import type { Redis } from 'ioredis';
import type { Context, Middleware } from 'koa';
import { withDeadline } from '../deadline';
import { openHttp, type HttpServer } from '../http/server';
import type { Kernel, Storage } from '../kernel';
import { pendingMigrations } from '../mysql/migrate';
import type { Database } from '../mysql/pool';
import type { Keyspace } from '../redis/connections';
import { installationKey } from '../redis/keys';
import type { HttpSettings } from '../settings';

type Parts = Storage & Keyspace & Pick<Kernel, 'lifecycle' | 'log' | 'metrics' | 'settings'>;

export interface HealthOptions {
  readonly metricsToken: string;
  readonly migrationFolders: readonly string[];
  /** Why this process should be replaced; undefined while it is healthy. */
  readonly trouble?: () => string | undefined;
}

const CHECK_DEADLINE_MS = 2000;

type Outcome = 'ok' | 'unusable';

const whyNoMysql = (error: unknown): string =>
  error instanceof TakesNoWrites ? error.message : 'MySQL does not answer';

interface Checks {
  readonly redis: Outcome;
  readonly mysql: Outcome;
  readonly migrations: Outcome;
  readonly draining: 'yes' | 'no';
  /** Sentences for people; absent while everything works. */
  readonly reasons?: readonly string[];
}

export function serveHealth(kernel: Parts, options: HealthOptions): Middleware {
  let migrated = false;

  async function checks(): Promise<Checks> {
    const reasons: string[] = [];
    const check = async (name: string, work: Promise<unknown>, why: (error: unknown) => string) => {
      try {
        await withDeadline(name, CHECK_DEADLINE_MS, work);
        return 'ok';
      } catch (error) {
        kernel.log.debug({ error, check: name }, 'not ready');
        reasons.push(why(error));
        return 'unusable';
      }
    };
    const [redis, mysql, migrations] = await Promise.all([
      check('redis', takeWrite(kernel.redis.commands, kernel.namespace), whyNoWrite),
      check('mysql', checkTakesWrites(kernel.mysql), whyNoMysql),
      check('migrations', checkMigrations(), () => 'Migrations are pending, or MySQL does not say'),
    ]);
    const isReady = kernel.lifecycle.ready();
    if (!isReady) reasons.push('The process is draining');
    return { redis, mysql, migrations, draining: isReady ? 'no' : 'yes', ...(reasons.length > 0 ? { reasons } : {}) };
  }

  /** Once nothing is pending, that holds until a newer process replaces this one. */
  async function checkMigrations(): Promise<void> {
    if (migrated) return;
    const pending = await pendingMigrations(kernel.mysql, options.migrationFolders);
    if (pending.length > 0) throw new Error(`${pending.length} migrations are pending: run "partyline migrate"`);
    migrated = true;
  }

  const serve: Readonly<Record<string, (ctx: Context) => void | Promise<void>>> = {
    '/healthz': (ctx) => {
      const trouble = options.trouble?.();
      ctx.status = trouble === undefined ? 200 : 503;
      ctx.body = { status: trouble === undefined ? 'alive' : `stalled: ${trouble}`, node: kernel.settings.nodeName };
    },
    '/readyz': async (ctx) => {
      const found = await checks();
      ctx.status = found.reasons === undefined ? 200 : 503;
      ctx.body = { status: ctx.status === 200 ? 'ready' : 'not ready', node: kernel.settings.nodeName, ...found };
    },
    '/metrics': (ctx) => serveMetrics(ctx, kernel, options.metricsToken),
  };
  const servers = new Map(Object.entries(serve));
  return (ctx, next) => {
    const own = servers.get(ctx.request.path);
    return own ? own(ctx) : next();
  };
}

/** Open to this machine, unless the request came through a proxy; otherwise a token is required. */
async function serveMetrics(ctx: Context, kernel: Pick<Kernel, 'metrics' | 'secrets'>, token: string): Promise<void> {
  const address = ctx.req.socket.remoteAddress ?? '';
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(address) && ctx.get('x-forwarded-for') === '';
  if (
    !isLocal &&
    (token === '' || kernel.secrets.lookup(ctx.get('authorization')) !== kernel.secrets.lookup(`Bearer ${token}`))
  ) {
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Bearer realm="metrics"');
    ctx.body = { error: 'METRICS_TOKEN is required from other machines' };
    return;
  }
  ctx.type = kernel.metrics.registry.contentType;
  ctx.body = await kernel.metrics.registry.metrics();
}

/** The probes of a process that has no other HTTP endpoints. */
export async function openWorkerHealth(
  kernel: Kernel,
  settings: HttpSettings & { readonly workerPort: number },
  options: Pick<HealthOptions, 'migrationFolders' | 'trouble'>,
): Promise<HttpServer> {
  const { metricsToken } = settings;
  const pages = [serveHealth(kernel, { metricsToken, ...options })];
  const http = await openHttp(kernel, { ...settings, port: settings.workerPort }, { mounts: [], pages });
  http.checkHosts();
  return http;
}

/** Its message is a sentence for people. */
export class TakesNoWrites extends Error {
  constructor(reason: string) {
    super(`MySQL takes no writes: ${reason}`);
    this.name = 'TakesNoWrites';
  }
}

/** Throws if the server would refuse a write. */
export async function checkTakesWrites(db: Database): Promise<void> {
  // Without Galera, the second statement returns "Disconnected" or nothing.
  const asked = "SELECT @@global.read_only AS readOnly; SHOW STATUS LIKE 'wsrep_cluster_status'";
  const [[[row], [status]]] = (await db.raw(asked)) as [[[{ readOnly: number | string }], [{ Value: string }?]]];
  // A number, or a word in newer MariaDB releases.
  if (!['0', 'OFF'].includes(String(row.readOnly))) throw new TakesNoWrites('it is read-only');
  if (status?.Value === 'non-Primary') throw new TakesNoWrites('it is cut off from its Galera cluster');
}

const WRITE = "return redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)";

/** Writes one small key, shared by all nodes of a namespace, in the slot of the jobs. Throws Redis' error. */
async function takeWrite(redis: Redis, namespace: string): Promise<void> {
  await redis.eval(WRITE, 1, installationKey(namespace, 'ready'), '1');
}

/** By the word at the start of the reply, or inside a script's error. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\bREADONLY\b/, 'Redis takes no writes: it is a read-only replica'],
  [/\bMOVED\b/, 'Redis takes no writes: it is a node of a Redis Cluster'],
  [/\bCLUSTERDOWN\b/, 'Redis takes no writes: its cluster is down'],
  [/\bOOM\b/, 'Redis takes no writes: its memory is full (maxmemory)'],
  [/\bMISCONF\b/, 'Redis takes no writes: it cannot save to its disk'],
  [/\bNOREPLICAS\b/, 'Redis takes no writes: too few of its replicas are connected'],
  [/\bMASTERDOWN\b/, 'Redis takes no writes: it is a replica whose primary is away'],
  [/\bLOADING\b/, 'Redis is loading its data'],
  [/\bNOPERM\b/, 'Redis takes no writes: the user in REDIS_URL may not run scripts'],
];

/** For people who read a probe: no addresses or internals. */
function whyNoWrite(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'Redis does not answer';
}
