/** Finds secrets that are not secret: the published development key, and placeholders. */
import type { Config } from './index';
import { passwordIn } from './redis-url';
import { variables } from './variables';

const HOW = `make one with: node -p "crypto.randomBytes(32).toString('hex')"`;

/** Words of placeholders, anywhere in a value. */
const PLACEHOLDER =
  /change.?(me|this|it)|replace.?(me|this|with)|place.?holder|do.?not.?use|your.?(own|secret|key|token|pass)/i;
/** Values from documents and examples, as the whole value. */
const EXAMPLE =
  /^(secret|secret.?key|password|pass|passw0rd|token|metrics.?token|partyline|example|demo|test|development|admin|root|letmein|123456\d*)$/i;
/** Random text has more different characters, even 32 hexadecimal digits; aaaa… and 0123012301… have fewer. */
const MIN_DIFFERENT = 8;

const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || EXAMPLE.test(value);

const canBeGuessed = (key: string): boolean => isPlaceholder(key) || new Set(key).size < MIN_DIFFERENT;

const passwordOf = (address: string): string => (address === '' ? '' : decodeURIComponent(new URL(address).password));

/** Lists unsafe secrets of a production server. Values that are not set are checked elsewhere. */
export function publishedSecrets(config: Config, environment: Readonly<Record<string, string | undefined>>): string[] {
  if (config.nodeEnv !== 'production') return [];
  const found: string[] = [];
  if (environment['SECRET_KEY'] === variables.secretKey.fallback) {
    found.push(`SECRET_KEY is the published one of development; ${HOW}`);
  } else if (config.secretKey !== variables.secretKey.fallback && canBeGuessed(config.secretKey)) {
    found.push(`SECRET_KEY can be guessed; ${HOW}`);
  }
  if (isPlaceholder(config.metricsToken)) found.push(`METRICS_TOKEN can be guessed; ${HOW}`);
  if (isPlaceholder(passwordOf(config.databaseUrl))) found.push('DATABASE_URL has a password that can be guessed');
  if (isPlaceholder(passwordOf(config.databaseReplicaUrl)))
    found.push('DATABASE_REPLICA_URL has a password that can be guessed');
  if (isPlaceholder(passwordIn(config.redisUrl))) found.push('REDIS_URL has a password that can be guessed');
  if (isPlaceholder(config.redisSentinelPassword)) found.push('REDIS_SENTINEL_PASSWORD can be guessed');
  if (isPlaceholder(passwordOf(config.smtpUrl))) found.push('SMTP_URL has a password that can be guessed');
  return found;
}
