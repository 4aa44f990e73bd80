/** Every environment variable that Partyline reads, with its default and meaning. */
import { hostname } from 'node:os';
import { capacity } from './capacity';
import { http } from './http';
import { choice, json, list, pairs, secret, text, url, variable, whole } from './kinds';
import { logins } from './logins';
import { mail } from './mail';
import { outbound } from './outbound';
import { redisUrl } from './redis-url';
import { sockets } from './sockets';
import { texting } from './texting';
import { waitingTimes } from './waiting-times';

export interface ExternalLogin {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: string | null;
  readonly login_url: string;
  readonly signup_url: string;
}

const port = whole(0, 65_535);
const hasText = (object: object, key: string) => typeof (object as Record<string, unknown>)[key] === 'string';
const isExternalLogins = (value: unknown): value is readonly ExternalLogin[] =>
  Array.isArray(value) &&
  value.every(
    (entry: unknown) =>
      typeof entry === 'object' &&
      entry !== null &&
      ['name', 'display_name', 'login_url', 'signup_url'].every((key) => hasText(entry, key)) &&
      'display_icon' in entry &&
      (entry.display_icon === null || hasText(entry, 'display_icon')),
  );

const stack = {
  nodeEnv: variable(
    'NODE_ENV',
    choice('development', 'test', 'production'),
    'development',
    '`production`: no demo data, no development key endpoint, secrets required.',
  ),
  host: variable(
    'HOST',
    text,
    '127.0.0.1',
    'Address the nodes listen on (0.0.0.0 in the image). Outside production it must be a loopback address, unless ' +
      'AUTH_METHODS is without `dev`.',
  ),
  port: variable('PORT', port, 9991, "First node's port; node *i* of `npm start` listens on PORT + i − 1."),
  nodes: variable('NODES', whole(1, 64), 2, 'HTTP nodes that `npm start` runs.'),
  workers: variable('WORKERS', whole(0, 64), 1, 'Worker processes that `npm start` runs.'),
  workerPort: variable('WORKER_PORT', port, 0, 'Where a worker answers /healthz, /readyz and /metrics; 0 is nowhere.'),
  heartbeatFile: variable(
    'HEARTBEAT_FILE',
    text,
    '',
    'A file that a worker touches while it is well; `npm start` gives each one and replaces a worker whose file is old.',
  ),
  dataDir: variable('DATA_DIR', text, '.data', "Private services' data, logs and run/<name>.pid files."),
  nodeName: {
    ...variable('NODE_NAME', text, hostname(), 'Name of this process in logs, metrics and worker lists.'),
    defaultLabel: "the machine's name",
  },
  products: variable(
    'PRODUCTS',
    list,
    ['chat', 'telephony'],
    'Products that this process opens: routes, sockets, workers, migrations, demo data.',
  ),
  namespace: variable('NAMESPACE', text, 'partyline', 'Prefix of every Redis key, channel and queue.'),
  logLevel: variable(
    'LOG_LEVEL',
    choice('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least level logged.',
  ),
  pauseAt: variable(
    'PAUSE_AT',
    list,
    [],
    'Tests only: named points at which the process stops for ever (see kernel/pause).',
  ),
} as const;

const services = {
  redisUrl: variable(
    'REDIS_URL',
    redisUrl,
    'redis://127.0.0.1:6379',
    'Redis; unset, `npm start` runs a private one. `rediss://…?ca=/ca.pem` encrypts; ' +
      '`redis+sentinel://host:port,host:port/name` asks Sentinels for the primary, ' +
      '`redis+cluster://host:port,host:port` is a Redis Cluster (OPERATIONS.md).',
  ),
  redisSentinelPassword: {
    ...variable('REDIS_SENTINEL_PASSWORD', text, '', 'Password of the Sentinels in `REDIS_URL`; empty for none.'),
    secret: true,
  },
  databaseUrl: variable(
    'DATABASE_URL',
    url('mysql', 'mariadb'),
    'mysql://root@127.0.0.1:3306/partyline',
    'MySQL or MariaDB; unset, `npm start` runs a private one. `?ssl=verify&ca=/ca.pem` encrypts (OPERATIONS.md).',
  ),
  databaseReplicaUrl: variable(
    'DATABASE_REPLICA_URL',
    url('mysql', 'mariadb'),
    '',
    'A replica of that, for searches, lists and exports; `MYSQL_CONNECTIONS` counts for each of the two.',
  ),
  mysqlConnections: variable('MYSQL_CONNECTIONS', whole(1, 1000), 10, 'Most MySQL connections of one process.'),
  countRoundTrips: variable(
    'COUNT_ROUND_TRIPS',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether /metrics counts the round trips to MySQL of each route; `auto` does from Node 24 on, where it is next to free.',
  ),
  pbxSimPort: variable('PBX_SIM_PORT', port, 9981, 'Port of the simulated PBX.'),
} as const;

const secrets = {
  secretKey: secret(
    'SECRET_KEY',
    'development-secret-key-do-not-use-in-production',
    'Keys for stored credentials are derived from it; all processes share it; losing it loses them.',
  ),
  metricsToken: {
    ...variable('METRICS_TOKEN', text, '', 'Bearer token for /metrics from other machines; empty refuses them.'),
    secret: true,
  },
} as const;

const chat = {
  authMethods: variable(
    'AUTH_METHODS',
    list,
    ['dev', 'email', 'password'],
    'Login methods offered; `dev` (one click) never in production, and only on a loopback HOST.',
  ),
  externalLogins: variable(
    'EXTERNAL_LOGINS',
    json('an array of {name, display_name, display_icon, login_url, signup_url}', isExternalLogins),
    [] as readonly ExternalLogin[],
    'External identity providers shown to clients, in display order.',
  ),
  minimumClients: variable(
    'MINIMUM_CLIENTS',
    pairs,
    { ZulipInvalid: '*' },
    'Oldest version of each client, by User-Agent name, that is told it is compatible; `*` refuses all.',
  ),
  webhookBacklog: variable(
    'WEBHOOK_BACKLOG',
    whole(1, 10_000_000),
    50_000,
    'Deliveries that may wait for one bot; more are refused with 429.',
  ),
  chatTruncate: variable(
    'CHAT_TRUNCATE',
    choice('on', 'off'),
    'off',
    '`on`: topics over 60 characters and contents over 10,000 bytes are cut, as Zulip does; `off` refuses them with 400.',
  ),
  chatFeatureLevel: variable(
    'CHAT_FEATURE_LEVEL',
    choice('on', 'off'),
    'on',
    '`on` declares feature level 371 of Zulip, which its apps of today require; `off` none, as Zulip 2.1 (CLIENTS.md).',
  ),
} as const;

/** By their headings in the documentation. */
export const groups = {
  'How the stack is run': stack,
  Services: services,
  Secrets: secrets,
  HTTP: http,
  'Bytes of answers and uploads': capacity,
  'Logins and keys': logins,
  'Waiting times': waitingTimes,
  Chat: chat,
  Mail: mail,
  'Requests to other servers': outbound,
  'Sockets and presence': sockets,
  'Texting and files': texting,
} as const;

export const variables = {
  ...stack,
  ...services,
  ...secrets,
  ...http,
  ...capacity,
  ...logins,
  ...waitingTimes,
  ...chat,
  ...mail,
  ...outbound,
  ...sockets,
  ...texting,
} as const;
