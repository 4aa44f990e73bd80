import { randomBytes } from 'node:crypto';
import { reportConfig } from '../../config/report';
import { variables } from '../../config/variables';
import { mistakesIn } from '../support/config-mistakes';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

describe('Secrets in the configuration', () => {
  test('Production requires every secret, and development requires none', () => {
    const secrets = Object.values(variables).filter(({ requiredInProduction }) => requiredInProduction);
    expect(secrets.map(({ name }) => name)).toEqual(['SECRET_KEY']);
    expect(mistakesIn({ NODE_ENV: 'production' })).toEqual([
      'SECRET_KEY is required in production (at least 32 characters)',
    ]);
    expect(mistakesIn({ NODE_ENV: 'production', SECRET_KEY: SECRET })).toEqual([]);
  });

  test.each([
    ['SECRET_KEY', 'development-secret-key-do-not-use-in-production', 'SECRET_KEY is the published one of development'],
    ['SECRET_KEY', 'please-change-me-please-change-me-please', 'SECRET_KEY can be guessed'],
    ['SECRET_KEY', 'a'.repeat(64), 'SECRET_KEY can be guessed'],
    ['SECRET_KEY', '0123'.repeat(10), 'SECRET_KEY can be guessed'],
    ['METRICS_TOKEN', 'metrics-token', 'METRICS_TOKEN can be guessed'],
    ['DATABASE_URL', 'mysql://root:password@db/partyline', 'DATABASE_URL has a password that can be guessed'],
    ['REDIS_URL', 'redis://:changeme@cache', 'REDIS_URL has a password that can be guessed'],
    ['REDIS_URL', 'redis+sentinel://:changeme@a,b/main', 'REDIS_URL has a password that can be guessed'],
    ['REDIS_SENTINEL_PASSWORD', 'changeme', 'REDIS_SENTINEL_PASSWORD can be guessed'],
  ])('Production refuses %s=%s', (name, value, words) => {
    const [mistake, ...others] = mistakesIn({ NODE_ENV: 'production', SECRET_KEY: SECRET, [name]: value });
    expect(mistake).toContain(words);
    expect(others).toEqual([]);
    expect(mistakesIn({ [name]: value })).toEqual([]);
  });

  test('Production accepts random secrets in every usual encoding', () => {
    for (let times = 0; times < 200; times += 1) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const made = randomBytes(24).toString(encoding);
        const environment = {
          SECRET_KEY: made,
          METRICS_TOKEN: made,
          REDIS_URL: `redis://:${encodeURIComponent(made)}@h`,
        };
        expect(mistakesIn({ NODE_ENV: 'production', ...environment })).toEqual([]);
      }
    }
  });

  test('A secret that is missing or too short is reported once', () => {
    const named = (environment: Record<string, string>) => mistakesIn({ NODE_ENV: 'production', ...environment });
    expect(named({ SECRET_KEY: 'short' })).toEqual(['SECRET_KEY must be at least 32 characters long']);
    expect(named({})).toHaveLength(1);
  });

  test('The passwords of Redis and of its Sentinels are masked in the report', () => {
    const environment = { REDIS_URL: 'redis+sentinel://app:hush@a:1,b:2/main/0', REDIS_SENTINEL_PASSWORD: 'hush-too' };
    const { lines } = reportConfig(environment);
    expect(JSON.stringify(lines)).not.toMatch(/hush/);
    const valueOf = (found: typeof lines) => found.find(({ name }) => name === 'REDIS_URL')?.value;
    expect(valueOf(lines)).toBe('redis+sentinel://app:********@a:1,b:2/main/0');
    const cluster = reportConfig({ REDIS_URL: 'rediss+cluster://app:hush@a:1,b?ca=/ca.pem' });
    expect(valueOf(cluster.lines)).toBe('rediss+cluster://app:********@a:1,b?ca=/ca.pem');
  });

  test('The text of a configuration error contains no secret', () => {
    const written = { SECRET_KEY: 'short-secret', REDIS_URL: 'nonsense://u:hush-one@h', DATABASE_URL: 'u:hush-two@h' };
    const text = mistakesIn({ ...written, METRICS_TOKEN: 'hush-three', PORT: 'x' }).join('\n');
    expect(text).toContain('SECRET_KEY must be at least 32 characters long');
    expect(text).not.toMatch(/short-secret|hush/);
  });
});
