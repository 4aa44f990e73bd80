/** Turns an environment into one frozen Config, or reports all mistakes in it at once. */
import { isIPv4 } from 'node:net';
import type { Variable } from './kinds';
import { publishedSecrets } from './published';
import { variables } from './variables';

type ValueOf<V> = V extends Variable<infer T> ? T : never;
export type Config = { readonly [K in keyof typeof variables]: ValueOf<(typeof variables)[K]> };

export class ConfigMistakes extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length} mistake(s):\n${mistakes.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigMistakes';
    this.mistakes = mistakes;
  }
}

export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(variables)) {
    const written = environment[variable.name];
    values[key] = variable.fallback;
    if (written === undefined || written === '') {
      if (variable.requiredInProduction && environment['NODE_ENV'] === 'production') {
        mistakes.push(`${variable.name} is required in production (${variable.kind.label})`);
      }
      continue;
    }
    try {
      values[key] = variable.kind.parse(written);
    } catch (error) {
      mistakes.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  const config = values as Config;
  mistakes.push(...contradictions(config));
  mistakes.push(...publishedSecrets(config, environment));
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes);
  return Object.freeze(config);
}

/** The time to record how an order ended, and to answer. */
const FINISHING_MS = 5000;

/** Values that are valid alone but not together. */
function contradictions(config: Config): string[] {
  const found: string[] = [];
  if (config.heartbeatMinMs > config.heartbeatMaxMs) found.push('HEARTBEAT_MIN_MS must not exceed HEARTBEAT_MAX_MS');
  if (config.queueExpiryMs > config.eventLogWindowMs) found.push('QUEUE_EXPIRY_MS must not exceed EVENT_LOG_WINDOW_MS');
  if (config.drainNoticeMs >= config.drainDeadlineMs) found.push('DRAIN_NOTICE_MS must be below DRAIN_DEADLINE_MS');
  if (config.spoolLimitBytes < config.fileLimitBytes)
    found.push('SPOOL_LIMIT_BYTES must not be below FILE_LIMIT_BYTES');
  // A request that waits for a PBX order or a job must be answered before its node ends.
  const maxMs = config.drainNoticeMs + Math.max(config.pbxOperationMs, config.jobReplyDeadlineMs) + FINISHING_MS;
  if (config.nodeEnv === 'production' && config.drainDeadlineMs < maxMs) {
    found.push(
      `DRAIN_DEADLINE_MS must be at least ${maxMs}: DRAIN_NOTICE_MS, the longer of PBX_OPERATION_MS and ` +
        `JOB_REPLY_DEADLINE_MS, and ${FINISHING_MS} to finish`,
    );
  }
  found.push(...halfMail(config), ...openToAnybody(config));
  const unknown = config.products.filter((product) => product !== 'chat' && product !== 'telephony');
  if (config.products.length === 0) found.push('PRODUCTS must name a product (there are chat and telephony)');
  if (unknown.length > 0)
    found.push(`PRODUCTS has no product "${unknown.join('", "')}" (there are chat and telephony)`);
  if (config.nodeEnv === 'production' && config.pauseAt.length > 0) found.push('PAUSE_AT must be unset in production');
  return found;
}

/** A server that is not in production lets anybody who reaches it sign in as anybody. */
function openToAnybody({ nodeEnv, host, authMethods }: Config): string[] {
  if (nodeEnv === 'production' || !authMethods.includes('dev') || isLoopback(host)) return [];
  return [
    `HOST=${host} would let anybody on the network sign in as anybody: set NODE_ENV=production, HOST=127.0.0.1, or ` +
      'AUTH_METHODS without dev',
  ];
}

/** Mail is configured completely or not at all. */
function halfMail({ nodeEnv, smtpUrl, mailFrom, publicUrl, ...dkim }: Config): string[] {
  if ((smtpUrl === '') !== (mailFrom === '')) return ['SMTP_URL and MAIL_FROM must be set together'];
  const signs = [dkim.mailDkimDomain, dkim.mailDkimSelector, dkim.mailDkimKey].filter((value) => value !== '');
  if (signs.length % 3 !== 0) return ['MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY must be set together'];
  return nodeEnv === 'production' && smtpUrl !== '' && publicUrl === ''
    ? ['PUBLIC_URL must be set where mail is sent: links in mail lead there']
    : [];
}

/** Whether only programs of the same machine reach what listens on an address. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
