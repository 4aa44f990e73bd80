/** How long Partyline waits for what: every time in the program has a name, a default and a test that pins it. */
import { milliseconds, variable, whole } from './kinds';

export const waitingTimes = {
  headersTimeoutMs: variable(
    'HEADERS_TIMEOUT_MS',
    milliseconds,
    10_000,
    'A client must have sent its headers by then.',
  ),
  requestTimeoutMs: variable(
    'REQUEST_TIMEOUT_MS',
    milliseconds,
    30_000,
    'A client must have sent its whole request by then.',
  ),
  keepAliveMs: variable(
    'KEEP_ALIVE_MS',
    milliseconds,
    75_000,
    "Idle connections stay open; longer than the load balancer's.",
  ),
  heartbeatMinMs: variable('HEARTBEAT_MIN_MS', milliseconds, 45_000, 'Shortest held poll before a heartbeat.'),
  heartbeatMaxMs: variable('HEARTBEAT_MAX_MS', milliseconds, 55_000, 'Longest held poll; clients give up at 60 s.'),
  queueExpiryMs: variable('QUEUE_EXPIRY_MS', milliseconds, 600_000, 'An event queue nobody polls ends after this.'),
  eventLogWindowMs: variable(
    'EVENT_LOG_WINDOW_MS',
    milliseconds,
    900_000,
    'How long told events stay in the log and in the outbox.',
  ),
  leaseMs: variable('LEASE_MS', milliseconds, 15_000, 'A lease not renewed for this long may be taken over.'),
  sweepIntervalMs: variable(
    'SWEEP_INTERVAL_MS',
    milliseconds,
    1_000,
    'How often each process looks for untold outbox rows.',
  ),
  sweepAfterMs: variable('SWEEP_AFTER_MS', milliseconds, 3_000, 'Age at which an untold row is taken for abandoned.'),
  sweepClaimMs: variable('SWEEP_CLAIM_MS', milliseconds, 10_000, 'How long a sweeper keeps the rows it claimed.'),
  housekeepingMs: variable('HOUSEKEEPING_MS', milliseconds, 60_000, 'How often expired rows are deleted.'),
  redisDeadlineMs: variable('REDIS_DEADLINE_MS', milliseconds, 1_000, 'Deadline of one Redis command.'),
  mysqlDeadlineMs: variable('MYSQL_DEADLINE_MS', milliseconds, 5_000, 'Deadline of one MySQL statement.'),
  mysqlAcquireMs: variable('MYSQL_ACQUIRE_MS', milliseconds, 2_000, 'Deadline for a connection from the pool.'),
  askDeadlineMs: variable('ASK_DEADLINE_MS', milliseconds, 15_000, 'How long a request waits for the answer of a job.'),
  askPollMs: variable('ASK_POLL_MS', milliseconds, 500, 'How often waiting requests look at the row of their job.'),
  drainNoticeMs: variable(
    'DRAIN_NOTICE_MS',
    milliseconds,
    2_000,
    'Between "not ready" and closing, for load balancers to notice.',
  ),
  drainDeadlineMs: variable(
    'DRAIN_DEADLINE_MS',
    milliseconds,
    25_000,
    'A process that has not drained by then exits anyway.',
  ),
  breakerOpenMs: variable('BREAKER_OPEN_MS', milliseconds, 30_000, 'How long a PBX that failed is left alone.'),
  breakerFailures: variable('BREAKER_FAILURES', whole(1, 1000), 5, 'Failures in a row that open the breaker.'),
} as const;
