/** The wire format of the overview. */
import type { Wire } from '../../kernel/text/wire';
import type { Overview } from './live-findings';
import type { overviewAnswer } from './overview-answers';

export const overviewObject = (shown: Overview): Wire<typeof overviewAnswer> => ({
  findings: shown.findings.map(({ check, level, about = null, says, advice = null }) => ({
    check,
    level,
    about,
    says,
    advice,
  })),
  nodes: shown.nodes.map((node) => ({
    id: node.id,
    name: node.name,
    host: node.host,
    pid: node.pid,
    version: node.version,
    node_version: node.nodeVersion,
    started_at: node.startedAt,
    is_draining: node.isDraining,
    memory_bytes: node.memoryBytes,
    lag_ms: node.lagMs,
    requests_per_second: node.seconds > 0 ? Math.round((node.requests / node.seconds) * 100) / 100 : 0,
    error_rate: node.requests > 0 ? node.errors / node.requests : 0,
  })),
  workers: shown.workers,
  redis: shown.redis && redisObject(shown.redis),
  mysql: { version: shown.mysqlVersion, connections: shown.mysql.connections },
  outbox: { rows: shown.outbox.rows, oldest_ms: shown.outbox.oldestMs },
  slowest_routes: shown.slowest.map(({ route, requests, meanMs, p95Ms }) => ({
    route,
    requests,
    mean_ms: meanMs,
    p95_ms: p95Ms,
  })),
});

const redisObject = (info: Readonly<Record<string, string>>) => ({
  version: info['redis_version'] ?? 'unknown',
  clients: Number(info['connected_clients'] ?? 0),
  commands_per_second: Number(info['instantaneous_ops_per_sec'] ?? 0),
  memory_bytes: Number(info['used_memory'] ?? 0),
});
