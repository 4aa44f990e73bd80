import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDatabase, testEnvironment, type TestDatabase } from '../../support/kernel/database';
import { DEAD_PORT } from '../../support/servers/services';
import { cliOf, cliProcessOf, type Cli } from './run';

const root = join(__dirname, '../../..');
let database: TestDatabase;
let cli: Cli;
let cliProcess: Cli;

beforeAll(async () => {
  database = await openTestDatabase({ migrated: false });
  const environment = {
    NODE_ENV: 'test',
    REDIS_URL: testEnvironment('TEST_REDIS_URL'),
    DATABASE_URL: database.url,
    NAMESPACE: 'test-command-line',
  };
  cli = cliOf(environment);
  cliProcess = cliProcessOf(environment);
});
afterAll(() => database.drop());

describe('Command line', () => {
  test('The command line prints its version, and without arguments it prints its commands', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await cli(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
    const help = await cli(['--help']);
    expect(help.code).toBe(0);
    for (const group of ['status', 'doctor', 'migrate', 'seed', 'user', 'bot', 'key', 'company', 'operator']) {
      expect(help.out).toMatch(new RegExp(`^ {2}${group}\\b`, 'm'));
    }
    expect(await cli([])).toMatchObject({ code: 1, out: '', err: help.out });
  });

  test('The help of a command mentions --json', async () => {
    expect((await cli(['user', 'add', '--help'])).out).toMatch(/--json +print one JSON document/);
  });

  test.each([
    [['nope'], "unknown command 'nope'"],
    [['user', 'nope'], "unknown command 'nope'"],
    [['user', 'list', '--nope'], "unknown option '--nope'"],
    [['status', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    [['key', 'show'], "missing required argument 'email'"],
    [['user', 'list', 'extra'], "too many arguments for 'list'. Expected 0 arguments but got 1."],
  ])('The arguments %j are refused with a message of one line', async (args, words) => {
    const [text, before, after] = await Promise.all([cli(args), cli(['--json', ...args]), cli([...args, '--json'])]);
    expect(text).toMatchObject({ code: 1, out: '', err: `partyline: ${words}\n` });
    expect(before).toMatchObject({ code: 1, err: '', json: { error: words } });
    expect(after).toMatchObject({ code: 1, err: '', json: { error: words } });
  });

  test('A wrong configuration is reported in one line with all its mistakes', async () => {
    const refused = await cli(['user', 'list'], { environment: { PORT: 'x', NODES: '0' } });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toBe(
      'partyline: the configuration is wrong: PORT must be a whole number, not "x"; ' +
        'NODES must lie between 1 and 64, not 0\n',
    );
  });

  test('A command that reaches neither Redis nor MySQL prints what to do', async () => {
    const [redis, mysql] = [DEAD_PORT, DEAD_PORT + 1];
    const environment = {
      REDIS_URL: `redis://:hush@127.0.0.1:${redis}`,
      DATABASE_URL: `mysql://app:hush@127.0.0.1:${mysql}/partyline`,
    };
    const refused = await cli(['user', 'list'], { environment });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toBe(
      `partyline: Redis at 127.0.0.1:${redis} cannot be used: connection refused; ` +
        `MySQL at 127.0.0.1:${mysql} cannot be used: connection refused. ` +
        'Start the server ("npm start"), or set REDIS_URL and DATABASE_URL to the ones you use\n',
    );
    expect((await cli(['migrate'], { environment })).err).toContain(`MySQL at 127.0.0.1:${mysql} cannot be used`);
  });
});

describe('Compiled program', () => {
  test('The compiled program prints to standard output and exits with 0 when the command succeeds', async () => {
    const run = await cliProcess(['config', '--json'], { environment: { PORT: '8080' } });
    expect(run).toMatchObject({ code: 0, err: '', json: { mistakes: [] } });
  });

  test('The compiled program prints to standard error and exits with 1 when the command fails', async () => {
    const run = await cliProcess(['user', 'nope']);
    expect(run).toMatchObject({ code: 1, out: '', err: "partyline: unknown command 'nope'\n" });
  });

  test('The compiled program reads a password from standard input, closes its connections and exits', async () => {
    const args = ['user', 'add', 'ada@example.com', '--name', 'Ada', '--password-stdin'];
    const run = await cliProcess(args, { input: 'a long enough password\n' });
    expect(run).toMatchObject({ code: 1, err: 'partyline: the database is not up to date: run "partyline migrate"\n' });
  });
});

describe('New database', () => {
  test('Commands refuse a database that is not migrated', async () => {
    const refused = await cli(['user', 'list']);
    expect(refused.err).toBe('partyline: the database is not up to date: run "partyline migrate"\n');
  });

  test('The command migrate brings a new database up to date, and a second run has nothing to do', async () => {
    const first = await cli(['migrate', '--json']);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.json.up[0]).toBe('20261115000000_create_kernel_tables');
    expect(await cli(['migrate'])).toMatchObject({ code: 0, out: 'nothing to do\n' });
  });

  // In two steps, each within its deadline on a busy machine.
  let takenBack: string[] = [];
  test('The command migrate --down reverts the newest batch', async () => {
    takenBack = (await cli(['migrate', '--down', '--json'])).json.down;
    expect(takenBack).toContain('20261115000300_create_ops_tables');
  });

  test('The command migrate applies again what migrate --down reverted', async () => {
    const { up } = (await cli(['migrate', '--json'])).json;
    expect(new Set(up)).toEqual(new Set(takenBack));
  });

  test('The command seed fills the database once, and never in production', async () => {
    const production = { NODE_ENV: 'production', SECRET_KEY: 'a-secret-of-more-than-thirty-two-characters' };
    const refused = await cli(['seed'], { environment: production });
    expect(refused).toMatchObject({ code: 1, err: 'partyline: there is no demo data in production\n' });
    expect(await cli(['seed', '--json'])).toMatchObject({ code: 0, json: { chat: true, telephony: true, ops: true } });
    expect(await cli(['seed'])).toMatchObject({ code: 0, out: 'already filled\n' });
    expect((await cli(['user', 'list', '--json'])).json.users).toHaveLength(6);
  });
});

describe('partyline config', () => {
  test('The command config prints every variable and masks secrets', async () => {
    const environment = { METRICS_TOKEN: 'hush', PORT: '8080' };
    const shown = await cli(['config', '--json'], { environment });
    expect(shown).toMatchObject({ code: 0, err: '', json: { mistakes: [] } });
    const port = { name: 'PORT', value: '8080', default: '9991', source: 'environment' };
    expect(shown.json.variables).toContainEqual({ group: 'How the stack is run', ...port });
    expect(shown.out).not.toContain('hush');
    expect(shown.out).not.toContain(new URL(database.url).password);
    expect((await cli(['config'], { environment })).out).toMatch(/^PORT +8080 +9991 +environment$/m);
  });

  test('The command config prints mistakes beside the other variables and fails', async () => {
    const shown = await cli(['config'], { environment: { NODES: 'two' } });
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/^NODES +\(not valid\) +2 +environment$/m);
    expect(shown.out).toMatch(/\nwrong: NODES must be a whole number, not "two"\n$/);
  });

  test('The command config --markdown prints docs/CONFIG.md', async () => {
    const { out } = await cli(['config', '--markdown']);
    expect(out).toBe(readFileSync(join(root, 'docs/CONFIG.md'), 'utf8'));
  });
});
