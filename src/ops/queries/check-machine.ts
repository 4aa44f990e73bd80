/** Checks whether this machine and environment can run a node. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../kernel/outbound/addresses';
import { fail, ok, versionNumber, warn, type Finding } from '../model/finding';

export interface EnvironmentSettings {
  readonly nodeEnv: 'development' | 'test' | 'production';
  readonly host: string;
  readonly publicUrl: string;
  readonly metricsToken: string;
  readonly rateLimit: object | null;
  readonly passwordRounds: number;
  readonly authMethods: readonly string[];
  readonly externalLogins: readonly unknown[];
  readonly maxConnections: number;
  /** Of the chat: whether today's mobile apps are invited. */
  readonly chatFeatureLevel?: 'on' | 'off';
}

const OLDEST_NODE = { text: '20.19', number: 20_019 };
/** Files needed besides connections: sockets to Redis and MySQL, pipes and so on. */
const OTHER_FILES = 200;
/** Scrypt rounds that OWASP recommends. */
const MIN_ROUNDS = 5;

export function checkMachine(settings: EnvironmentSettings): Finding[] {
  return [
    checkNodeVersion(process.version),
    checkOpenFiles(settings.maxConnections, openFileLimit()),
    ...checkEnvironment(settings),
  ];
}

export function checkNodeVersion(version: string): Finding {
  const says = `Node.js ${version}`;
  if (versionNumber(version) >= OLDEST_NODE.number) return ok('node-version', says);
  return fail('node-version', says, `Install Node.js ${OLDEST_NODE.text} or newer.`);
}

/** Undefined if the system does not say. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Infinity : soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

export function checkOpenFiles(maxConnections: number, limit: number | undefined): Finding {
  const needed = maxConnections + OTHER_FILES;
  const advice = `Raise it to ${needed} (ulimit -n, or LimitNOFILE in systemd), or lower MAX_CONNECTIONS.`;
  if (limit === undefined) return warn('open-files', 'the limit of open files cannot be read here', advice);
  if (limit >= needed) return ok('open-files', `${limit} files may be open at once`);
  return warn('open-files', `only ${limit} files may be open at once, for ${maxConnections} connections`, advice);
}

export function checkEnvironment(settings: EnvironmentSettings): Finding[] {
  const found = settings.nodeEnv === 'production' ? checkProduction(settings) : [checkDevelopment(settings)];
  return [...found, ...checkApps(settings)];
}

/** Names that are known on one machine or in one network only (RFC 6761, RFC 6762, RFC 8375 and custom). */
const INNER_NAME = /^[^.]+$|\.(?:localhost|local|internal|intranet|lan|home|home\.arpa|test|invalid)$/;

/** After signing in, apps use PUBLIC_URL, whatever address was typed. Nobody expects them to reach a server under development. */
function checkApps({ chatFeatureLevel = 'off', nodeEnv, publicUrl, host }: EnvironmentSettings): Finding[] {
  if (chatFeatureLevel === 'off' || nodeEnv !== 'production') return [];
  const name = URL.canParse(publicUrl) ? new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '') : host;
  const isReached = isIP(name) === 0 ? !INNER_NAME.test(name.toLowerCase()) : isPublicAddress(name);
  if (isReached) return [];
  const variable = publicUrl === '' ? 'HOST' : 'PUBLIC_URL';
  return [
    warn(
      'apps',
      `CHAT_FEATURE_LEVEL is on, and ${variable} names ${name}: mobile apps elsewhere sign in and then find nothing`,
      'Set PUBLIC_URL to an address that telephones reach, or CHAT_FEATURE_LEVEL=off.',
    ),
  ];
}

function checkDevelopment({ nodeEnv, host }: EnvironmentSettings): Finding {
  const isLocal = /^(127\.|localhost$|::1$)/.test(host);
  if (isLocal) return ok('environment', `${nodeEnv}: anyone on this machine can have any key`);
  return warn(
    'environment',
    `${nodeEnv}, and HOST is ${host}: published keys and passwords work for anyone on the network`,
    'Set NODE_ENV=production, or HOST=127.0.0.1.',
  );
}

function checkProduction(settings: EnvironmentSettings): Finding[] {
  const canLogIn = settings.authMethods.includes('password') || settings.externalLogins.length > 0;
  const found = [
    settings.metricsToken === '' &&
      warn(
        'metrics-token',
        'METRICS_TOKEN is unset: other machines cannot read /metrics',
        'Set METRICS_TOKEN, unless the collector runs on this machine.',
      ),
    settings.publicUrl === '' &&
      warn('public-url', 'PUBLIC_URL is unset: links name HOST and PORT', 'Set PUBLIC_URL to the address users see.'),
    settings.rateLimit === null &&
      warn('rate-limit', 'RATE_LIMIT is off: one user can take all there is', 'Set RATE_LIMIT, such as 60:200.'),
    settings.passwordRounds < MIN_ROUNDS &&
      warn(
        'password-rounds',
        `PASSWORD_ROUNDS is ${settings.passwordRounds}: stolen hashes are quick to guess`,
        `Set PASSWORD_ROUNDS=${MIN_ROUNDS}, or more.`,
      ),
    !canLogIn &&
      warn('logins', 'no way to log in works in production', 'Add password to AUTH_METHODS, or set EXTERNAL_LOGINS.'),
  ].filter((finding) => finding !== false);
  return found.length === 0 ? [ok('environment', 'production')] : found;
}
