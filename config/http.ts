/** What the HTTP entry point trusts, accepts and limits. */
import { choice, host, limit, list, text, url, variable, whole } from './kinds';

const megabytes = whole(1, 1_073_741_824);

export const http = {
  publicUrl: variable(
    'PUBLIC_URL',
    url('http', 'https'),
    '',
    'Address that users and carriers were given; empty means http://HOST:PORT.',
  ),
  externalHost: variable(
    'EXTERNAL_HOST',
    host,
    '',
    "Domain under which organisations have their subdomains; empty means PUBLIC_URL's host (localhost for an address). " +
      'An organisation that is alone answers to every host.',
  ),
  jitsiServerUrl: variable(
    'JITSI_SERVER_URL',
    url('http', 'https'),
    'https://meet.jit.si',
    'Jitsi server of the calls that people start from chat, in organisations whose provider of calls is Jitsi.',
  ),
  trustedProxies: variable(
    'TRUSTED_PROXIES',
    list,
    [],
    'Addresses of load balancers whose X-Forwarded-For, -Host and -Proto are believed.',
  ),
  formLimitBytes: variable('FORM_LIMIT_BYTES', megabytes, 131_072, 'Largest form body.'),
  jsonLimitBytes: variable('JSON_LIMIT_BYTES', megabytes, 262_144, 'Largest JSON body.'),
  jsonDepthLimit: variable(
    'JSON_DEPTH_LIMIT',
    whole(1, 1000),
    32,
    'Deepest JSON body; in a form field it is always 32.',
  ),
  maxConnections: variable('MAX_CONNECTIONS', whole(1, 1_000_000), 20_000, 'Most open connections of one node.'),
  rateLimit: limit('RATE_LIMIT', '60:200', 'Requests of one user; `off` for load tests.'),
  tenantRateLimit: limit(
    'TENANT_RATE_LIMIT',
    'off',
    'Requests of all users of one organisation or company on one node; for servers that many share.',
  ),
  loginLimit: limit('LOGIN_LIMIT', '60:30', 'Password attempts for one account and, tenfold, from one address.'),
  eventsRateLimit: limit('EVENTS_RATE_LIMIT', '60:2000', 'Polls of one user on one node.'),
  webDir: variable('WEB_DIR', text, '', 'Folder of the built pages; empty means `dist/web` beside the program.'),
  pollFastPath: variable(
    'POLL_FAST_PATH',
    choice('on', 'off'),
    'on',
    'Whether `GET /api/v1/events` may be answered from memory before the Koa application; `off` sends every poll through it.',
  ),
} as const;
