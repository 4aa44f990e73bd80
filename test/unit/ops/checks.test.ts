import {
  checkEnvironment,
  checkNodeVersion,
  checkOpenFiles,
  type EnvironmentSettings,
} from '../../../src/ops/queries/check-machine';
import { checkVersion } from '../../../src/ops/queries/check-mysql';

const production: EnvironmentSettings = {
  nodeEnv: 'production',
  host: '0.0.0.0',
  publicUrl: 'https://chat.example.com',
  metricsToken: 'token',
  rateLimit: {},
  passwordRounds: 5,
  authMethods: ['password'],
  externalLogins: [],
  maxConnections: 20_000,
};

const levels = (settings: Partial<EnvironmentSettings>) =>
  checkEnvironment({ ...production, ...settings }).map(({ check, level }) => `${check} ${level}`);

describe('Node version', () => {
  test.each([
    ['v20.19.0', 'ok'],
    ['v24.1.0', 'ok'],
    ['v20.9.0', 'fail'],
    ['v18.20.4', 'fail'],
  ])('The Node version %s is rated %s', (version, level) => expect(checkNodeVersion(version).level).toBe(level));
});

describe('Database version', () => {
  test.each([
    ['10.11.6-MariaDB-0+deb12u1', 'ok'],
    ['10.6.18-MariaDB', 'warn'],
    ['11.4.2-MariaDB', 'warn'],
    ['10.5.23-MariaDB-1', 'fail'],
    ['8.0.36', 'warn'],
    ['8.4.0-0ubuntu1', 'warn'],
    ['5.7.44-log', 'fail'],
    ['', 'fail'],
  ])('The database version "%s" is rated %s', (version, level) => expect(checkVersion(version).level).toBe(level));
});

describe('Open files', () => {
  test.each([
    [1024, 'warn'],
    [20_200, 'ok'],
    [Infinity, 'ok'],
    [undefined, 'warn'],
  ])('A limit of %s open files for 20000 connections is rated %s', (limit, level) =>
    expect(checkOpenFiles(20_000, limit).level).toBe(level),
  );
});

describe('Production', () => {
  test('A sound production environment yields one line', () => expect(levels({})).toEqual(['environment ok']));

  test.each<[Partial<EnvironmentSettings>, string]>([
    [{ metricsToken: '' }, 'metrics-token warn'],
    [{ publicUrl: '' }, 'public-url warn'],
    [{ rateLimit: null }, 'rate-limit warn'],
    [{ passwordRounds: 4 }, 'password-rounds warn'],
    [{ authMethods: ['dev'] }, 'logins warn'],
  ])('A production environment with %j yields "%s"', (settings, found) => expect(levels(settings)).toEqual([found]));

  test.each([
    ['https://chat.example.com', []],
    ['https://93.184.216.34', []],
    ['http://localhost:9991', ['apps warn']],
    ['https://chat', ['apps warn']],
    ['https://chat.example.local', ['apps warn']],
    ['https://127.0.0.1', ['apps warn']],
    ['https://192.168.1.7:8443', ['apps warn']],
    ['https://[fd00::7]', ['apps warn']],
  ])('With mobile apps invited, the address %s yields %j', (publicUrl, found) => {
    expect(levels({ publicUrl, chatFeatureLevel: 'on' })).toEqual(['environment ok', ...found]);
    expect(levels({ publicUrl, chatFeatureLevel: 'off' })).toEqual(['environment ok']);
  });

  test('A production environment may rely on external logins alone', () => {
    expect(levels({ authMethods: [], externalLogins: [{ name: 'saml' }] })).toEqual(['environment ok']);
  });
});

describe('Development', () => {
  test.each([
    ['127.0.0.1', 'environment ok'],
    ['localhost', 'environment ok'],
    ['0.0.0.0', 'environment warn'],
    ['10.0.0.7', 'environment warn'],
  ])('A development environment on the host %s yields "%s"', (host, found) =>
    expect(levels({ nodeEnv: 'development', host })).toEqual([found]),
  );
});
