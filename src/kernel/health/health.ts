/** Probes for load balancers and operators: liveness, readiness and metrics of every process. */
import type { Context, Middleware } from 'koa';
import { withDeadline } from '../deadline';
import type { Kernel } from '../kernel';
import { pendingMigrations } from '../mysql/migrate';
import { checkTakesWrites, TakesNoWrites } from '../mysql/takes-writes';
import { takeWrite, whyNoWrite } from '../redis/takes-writes';
import type { HttpSettings } from '../settings';
import { openHttp, type HttpServer } from '../http/server';

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

export function serveHealth(kernel: Kernel, options: HealthOptions): Middleware {
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

  return async (ctx, next) => {
    switch (ctx.path) {
      case '/healthz': {
        const trouble = options.trouble?.();
        ctx.status = trouble === undefined ? 200 : 503;
        ctx.body = { status: trouble === undefined ? 'alive' : `stalled: ${trouble}`, node: kernel.settings.nodeName };
        return;
      }
      case '/readyz': {
        const found = await checks();
        ctx.status = found.reasons === undefined ? 200 : 503;
        ctx.body = { status: ctx.status === 200 ? 'ready' : 'not ready', node: kernel.settings.nodeName, ...found };
        return;
      }
      case '/metrics':
        return serveMetrics(ctx, kernel, options.metricsToken);
      default:
        return next();
    }
  };
}

/** Open to this machine, unless the request came through a proxy; otherwise a token is required. */
async function serveMetrics(ctx: Context, kernel: Kernel, token: string): Promise<void> {
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
