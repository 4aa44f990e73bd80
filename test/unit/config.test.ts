import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config';
import { configMarkdown } from '../../config/report';
import { groups, variables } from '../../config/variables';
import { mistakesIn } from '../support/config-mistakes';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

test('Every variable has its intended default', () => {
  const defaults = Object.values(variables).map(({ name, fallback }): [string, unknown] => [name, fallback]);
  expect(Object.fromEntries(defaults)).toEqual({
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: 9991,
    NODES: 2,
    WORKERS: 1,
    WORKER_PORT: 0,
    HEARTBEAT_FILE: '',
    DATA_DIR: '.data',
    NODE_NAME: hostname(),
    PRODUCTS: ['chat', 'telephony'],
    NAMESPACE: 'partyline',
    LOG_LEVEL: 'info',
    PAUSE_AT: [],

    REDIS_URL: 'redis://127.0.0.1:6379',
    REDIS_SENTINEL_PASSWORD: '',
    DATABASE_URL: 'mysql://root@127.0.0.1:3306/partyline',
    DATABASE_REPLICA_URL: '',
    MYSQL_CONNECTIONS: 10,
    COUNT_ROUND_TRIPS: 'auto',
    PBX_SIM_PORT: 9981,

    SECRET_KEY: 'development-secret-key-do-not-use-in-production',
    METRICS_TOKEN: '',

    PUBLIC_URL: '',
    EXTERNAL_HOST: '',
    JITSI_SERVER_URL: 'https://meet.jit.si',
    TRUSTED_PROXIES: [],
    FORM_LIMIT_BYTES: 131_072,
    JSON_LIMIT_BYTES: 262_144,
    JSON_DEPTH_LIMIT: 32,
    MAX_CONNECTIONS: 20_000,
    RATE_LIMIT: { seconds: 60, requests: 200 },
    TENANT_RATE_LIMIT: null,
    LOGIN_LIMIT: { seconds: 60, requests: 30 },
    PASSWORD_QUEUE: 32,
    PASSWORD_ROUNDS: 5,
    PASSWORD_MIN_LENGTH: 8,
    PASSWORD_MIN_GUESSES: 1_000_000,
    SESSION_DAYS: 30,
    UNKNOWN_KEY_LIMIT: { seconds: 60, requests: 1000 },
    EVENTS_RATE_LIMIT: { seconds: 60, requests: 2000 },
    WEB_DIR: '',
    POLL_FAST_PATH: 'on',

    MESSAGES_LIMIT_BYTES: 4_194_304,
    UNSENT_LIMIT_BYTES: 134_217_728,
    SLOW_READER_MS: 30_000,
    SPOOL_DIR: '',
    SPOOL_LIMIT_BYTES: 268_435_456,

    HEADERS_TIMEOUT_MS: 10_000,
    REQUEST_TIMEOUT_MS: 30_000,
    KEEP_ALIVE_MS: 75_000,
    HEARTBEAT_MIN_MS: 45_000,
    HEARTBEAT_MAX_MS: 55_000,
    QUEUE_EXPIRY_MS: 600_000,
    EVENT_LOG_WINDOW_MS: 900_000,
    LEASE_MS: 3_000,
    JOB_LOCK_MS: 15_000,
    SWEEP_INTERVAL_MS: 1_000,
    SWEEP_AFTER_MS: 3_000,
    SWEEP_CLAIM_MS: 10_000,
    HOUSEKEEPING_MS: 60_000,
    REDIS_DEADLINE_MS: 1_000,
    MYSQL_DEADLINE_MS: 5_000,
    REPLICA_WAIT_MS: 200,
    MYSQL_ACQUIRE_MS: 2_000,
    JOB_REPLY_DEADLINE_MS: 15_000,
    JOB_REPLY_POLL_MS: 500,
    DRAIN_NOTICE_MS: 2_000,
    DRAIN_DEADLINE_MS: 25_000,
    WORKER_BEAT_MS: 5000,
    SAMPLE_MS: 10_000,
    WORKER_DEAF_MS: 30_000,
    OPENID_CALL_MS: 5_000,
    PBX_CALL_MS: 5000,
    PBX_OPERATION_MS: 15_000,
    PBX_LATE_MS: 60_000,
    PBX_SWEEP_MS: 1000,
    PBX_RELOAD_MS: 2000,
    RECONCILE_MS: 300_000,
    BREAKER_OPEN_MS: 30_000,
    BREAKER_FAILURES: 5,

    AUTH_METHODS: ['dev', 'email', 'password'],
    EXTERNAL_LOGINS: [],
    MINIMUM_CLIENTS: { ZulipInvalid: '*' },
    WEBHOOK_BACKLOG: 50_000,
    CHAT_TRUNCATE: 'off',
    CHAT_FEATURE_LEVEL: 'on',

    SMTP_URL: '',
    MAIL_FROM: '',
    MAIL_DKIM_DOMAIN: '',
    MAIL_DKIM_SELECTOR: '',
    MAIL_DKIM_KEY: '',
    MAIL_CALL_MS: 20_000,
    MAIL_RETRY_MS: 30_000,
    MAIL_GIVE_UP_MS: 14_400_000,
    MISSED_MAIL_MS: 180_000,
    INVITATION_DAYS: 10,
    INVITATIONS_PER_DAY: 500,
    PASSWORD_RESET_MS: 3_600_000,
    PASSWORD_RESET_LIMIT: { seconds: 3600, requests: 5 },

    OUTBOUND_NETWORKS: [],
    OUTBOUND_HOSTS: {},
    PUSH: 'on',
    PUSH_PAUSE_MS: 5000,

    MAX_SOCKETS: 12_000,
    SOCKETS_PER_KEY: 2000,
    SOCKETS_PER_ADDRESS: 2000,
    SOCKET_PAYLOAD_BYTES: 100_000,
    SOCKET_AUTH_MS: 10_000,
    SOCKET_AUTH_TRIES: 5,
    SOCKET_AUTH_LIMIT: { seconds: 60, requests: 100 },
    SOCKET_EVENT_LIMIT: { seconds: 10, requests: 100 },
    EVENT_REPLAY_MS: 604_800_000,
    EVENT_REPLAY_MAX: 1000,
    PRESENCE_MS: 45_000,
    PRESENCE_GRACE_MS: 10_000,
    PRESENCE_SWEEP_MS: 5000,
    CARRIER_CALL_MS: 10_000,
    CARRIER_UNKNOWN_MS: 60_000,
    CARRIER_GIVE_UP_MS: 3_600_000,
    FILE_LIMIT_BYTES: 26_214_400,
    FILE_URL_MS: 3_600_000,
  });
});

describe('Loading the configuration', () => {
  test('An empty environment gives every default in a frozen object', () => {
    const config = loadConfig({});
    for (const [key, { fallback }] of Object.entries(variables)) expect(config).toHaveProperty(key, fallback);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('An empty variable counts as unset', () => {
    expect(loadConfig({ PORT: '', RATE_LIMIT: '' })).toEqual(loadConfig({}));
  });

  test('Values of every kind are read', () => {
    const logins = [{ name: 'saml', display_name: 'S', display_icon: null, login_url: '/l', signup_url: '/s' }];
    expect(
      loadConfig({
        PORT: '8080',
        PRODUCTS: 'chat, telephony,',
        RATE_LIMIT: 'off',
        LOGIN_LIMIT: '10:5',
        MINIMUM_CLIENTS: 'ZulipMobile=26.0,Old=*',
        EXTERNAL_LOGINS: JSON.stringify(logins),
      }),
    ).toMatchObject({
      port: 8080,
      products: ['chat', 'telephony'],
      rateLimit: null,
      loginLimit: { seconds: 10, requests: 5 },
      minimumClients: { ZulipMobile: '26.0', Old: '*' },
      externalLogins: logins,
    });
  });

  test('All mistakes are reported at once, including contradictions', () => {
    const environment = {
      PORT: '70000',
      NODES: 'two',
      NODE_ENV: 'staging',
      REDIS_URL: 'http://127.0.0.1',
      RATE_LIMIT: '60',
      EXTERNAL_LOGINS: '{',
      MINIMUM_CLIENTS: 'Old',
      HEARTBEAT_MIN_MS: '60000',
      PRODUCTS: 'chat,fax',
    };
    expect(mistakesIn(environment)).toEqual([
      'NODE_ENV must be one of development, test, production, not "staging"',
      'PORT must lie between 0 and 65535, not 70000',
      'NODES must be a whole number, not "two"',
      'REDIS_URL must be an address that begins with redis://',
      'RATE_LIMIT must look like 60:200 or be "off", not "60"',
      'EXTERNAL_LOGINS must be JSON',
      'MINIMUM_CLIENTS must be name=value pairs, not "Old"',
      'HEARTBEAT_MIN_MS must not exceed HEARTBEAT_MAX_MS',
      'PRODUCTS has no product "fax" (there are chat and telephony)',
    ]);
  });

  test('Each contradiction between variables has its own message', () => {
    expect(mistakesIn({ PRODUCTS: ',' })).toEqual(['PRODUCTS must name a product (there are chat and telephony)']);
    expect(mistakesIn({ SPOOL_LIMIT_BYTES: '26214399' })).toEqual([
      'SPOOL_LIMIT_BYTES must not be below FILE_LIMIT_BYTES',
    ]);
    expect(mistakesIn({ QUEUE_EXPIRY_MS: '900001' })).toEqual(['QUEUE_EXPIRY_MS must not exceed EVENT_LOG_WINDOW_MS']);
    expect(mistakesIn({ DRAIN_NOTICE_MS: '25000' })).toEqual(['DRAIN_NOTICE_MS must be below DRAIN_DEADLINE_MS']);
    const production = { NODE_ENV: 'production', SECRET_KEY: SECRET };
    expect(mistakesIn({ ...production, PAUSE_AT: 'before-commit' })).toEqual(['PAUSE_AT must be unset in production']);
    // A node that ends earlier would leave orders whose clients it has not answered.
    expect(mistakesIn({ ...production, PBX_OPERATION_MS: '18000' })).toEqual([]);
    expect(mistakesIn({ ...production, PBX_OPERATION_MS: '30000' })).toEqual([
      'DRAIN_DEADLINE_MS must be at least 37000: DRAIN_NOTICE_MS, the longer of PBX_OPERATION_MS and JOB_REPLY_DEADLINE_MS, ' +
        'and 5000 to finish',
    ]);
  });
});

describe('docs/CONFIG.md', () => {
  test('docs/CONFIG.md is the output of node dist/cli/main.js config --markdown', () => {
    expect(readFileSync(join(__dirname, '../../docs/CONFIG.md'), 'utf8')).toBe(configMarkdown());
  });

  test('docs/CONFIG.md lists every variable once, under the heading of its group', () => {
    const page = configMarkdown();
    for (const { name } of Object.values(variables)) expect(page.split(`\n| \`${name}\` |`)).toHaveLength(2);
    expect(page.match(/^## .*/gm)).toEqual(Object.keys(groups).map((group) => `## ${group}`));
  });
});
