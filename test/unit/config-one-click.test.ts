import { readSettings } from '../../scripts/lib/start/settings';
import { mistakesIn } from '../support/config-mistakes';

const startMistake = (environment: Record<string, string>): string | undefined => {
  try {
    readSettings(environment);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('One-click sign-in', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', '10.0.0.7', '127.example.com', 'chat.example.com'])(
    'A server outside production does not start on HOST=%s, and says what to set',
    (HOST) => {
      const words =
        `HOST=${HOST} would let anybody on the network sign in as anybody: ` +
        'set NODE_ENV=production, HOST=127.0.0.1, or AUTH_METHODS without dev';
      for (const environment of [
        { HOST },
        { HOST, NODE_ENV: 'test' },
        { HOST, AUTH_METHODS: 'password, dev' },
        { HOST, AUTH_METHODS: '' },
      ]) {
        expect(mistakesIn(environment)).toEqual([words]);
        expect(startMistake(environment)).toBe(`${words}.`);
      }
    },
  );

  test.each<Record<string, string>>([
    {},
    { HOST: '127.0.0.1' },
    { HOST: '127.0.0.53' },
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '0.0.0.0', AUTH_METHODS: 'email,password' },
    { HOST: '0.0.0.0', NODE_ENV: 'production', SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters' },
  ])('A server starts with %j', (environment) => {
    expect(mistakesIn(environment)).toEqual([]);
    expect(startMistake(environment)).toBeUndefined();
  });
});
