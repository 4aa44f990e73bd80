/** Schemas of the overview and the history. */
import { z } from 'zod';

const time = z.string().meta({ format: 'date-time' });
const level = z.number().nullable().meta({ description: 'Null if it was not measured' });

const finding = z
  .object({
    check: z.string(),
    level: z.enum(['ok', 'warn', 'fail']),
    about: z.string().nullable().meta({ description: 'Which of several the check found it about, such as a PBX' }),
    says: z.string(),
    advice: z.string().nullable(),
  })
  .meta({ id: 'Finding' });

const node = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    node_version: z.string(),
    started_at: time,
    is_draining: z.boolean(),
    memory_bytes: z.int(),
    lag_ms: z.number(),
    requests_per_second: z.number(),
    error_rate: z.number().meta({ description: 'The share of requests with a status of 500 or above' }),
  })
  .meta({ id: 'Node' });

const route = z
  .object({
    route: z.string(),
    requests: z.int(),
    mean_ms: z.number(),
    p95_ms: z
      .number()
      .nullable()
      .meta({ description: 'Upper bound of its histogram bucket; null above the last bucket' }),
  })
  .meta({ id: 'RoutePace' });

export const overviewAnswer = z.object({
  findings: z.array(finding),
  nodes: z.array(node),
  workers: z.int(),
  redis: z
    .object({
      version: z.string(),
      clients: z.int(),
      commands_per_second: z.int(),
      memory_bytes: z.int(),
    })
    .nullable()
    .meta({ description: 'Null if it does not answer' }),
  mysql: z.object({ version: z.string(), connections: z.int() }),
  outbox: z.object({ rows: z.int(), oldest_ms: z.number().nullable() }),
  slowest_routes: z.array(route),
});

const point = z
  .object({
    at: time,
    requests_per_second: level,
    errors_per_second: level,
    events_per_second: level,
    waiting: level,
    oldest_ms: level,
    dead: level,
    lag_ms: level,
    redis_clients: level,
    mysql_connections: level,
  })
  .meta({ id: 'HistoryPoint' });
export const historyAnswer = z.object({ step_seconds: z.int(), points: z.array(point) });
