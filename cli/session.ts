/** Runs one command: configuration, a kernel if needed, the result as text or JSON, errors as one line. */
import type { Command } from 'commander';
import { ConfigMistakes, loadConfig, type Config } from '../config/index';
import { RestoreBroken } from '../src/kernel/backup/restore-backup';
import { Fault } from '../src/kernel/fault';
import { openKernel, type Kernel } from '../src/kernel/kernel';
import { checkSecret } from '../src/ops/queries/examine';
import { productsOf } from '../src/products';
import { reach, reasonOf } from './servers';
import { terminal, type Terminal } from './terminal';

export interface Result {
  /** What `--json` prints. */
  readonly data: unknown;
  readonly text: string;
  /** Not 0 if the command worked but found a problem. */
  readonly exitCode?: number;
}

export interface Session {
  readonly config: Config;
  readonly kernel: Kernel;
  /** The subdomain from `--org`. */
  readonly organization: string | undefined;
}

type Action<Args extends unknown[]> = (this: Command, ...args: Args) => Promise<void>;

type Run<Args extends unknown[]> = (session: Session, ...args: Args) => Promise<Result>;

/** Runs a command of a product. */
const withProduct =
  (product: string) =>
  <Args extends unknown[]>(run: Run<Args>): Action<Args> =>
    withKernel((session, ...args: Args) => {
      ensureServed(session.config, product);
      return run(session, ...args);
    });

export const withChat = withProduct('chat');
export const withTelephony = withProduct('telephony');

/** The tables of a product that PRODUCTS omits may not exist. */
export function ensureServed({ products }: Config, product: string): void {
  if (!products.includes(product)) throw new Error(`PRODUCTS leaves ${product} out: it is "${products.join(',')}"`);
}

/** Runs a command that uses Redis and MySQL. */
export function withKernel<Args extends unknown[]>(run: Run<Args>): Action<Args> {
  return withConfig(async (config, ...args: Args) => {
    // The kernel would wait for Redis, but the user of a command wants to know at once.
    await reach(config, ['Redis', 'MySQL']);
    const kernel = await openKernel({
      ...config,
      logLevel: 'silent',
      drainNoticeMs: 0,
      nodeName: `cli-${process.pid}`,
    });
    try {
      return await run({ config, kernel, organization: organizationOf(args.at(-1)) }, ...args);
    } finally {
      await kernel.lifecycle.drain();
    }
  });
}

/** Commander passes the command itself as the last argument. */
const organizationOf = (command: unknown): string | undefined =>
  (command as Command).optsWithGlobals<{ org?: string }>().org;

/** Runs a command that opens its own connections. */
export function withConfig<Args extends unknown[]>(
  run: (config: Config, ...args: Args) => Promise<Result>,
): Action<Args> {
  return withEnvironment((environment, ...args: Args) => run(loadConfig(environment), ...args));
}

/** Runs a command that works even with a wrong configuration. */
export function withEnvironment<Args extends unknown[]>(
  run: (environment: Terminal['environment'], ...args: Args) => Promise<Result>,
): Action<Args> {
  return async function action(this: Command, ...args: Args) {
    const { json = false } = this.optsWithGlobals<{ json?: boolean }>();
    try {
      const { data, text, exitCode = 0 } = await run(terminal().environment, ...args);
      terminal().print(`${json ? JSON.stringify(data) : text}\n`);
      terminal().exitCode = exitCode;
    } catch (error) {
      sayError(describe(error), json);
      if (error instanceof RestoreBroken) terminal().exitCode = 2;
    }
  };
}

/** One line on stderr or, for programs, one JSON document on stdout. */
export function sayError(message: string, json: boolean): void {
  if (json) terminal().print(`${JSON.stringify({ error: message })}\n`);
  else terminal().complain(`partyline: ${message}\n`);
  terminal().exitCode = 1;
}

const NO_SUCH_TABLE = 1146;

function describe(error: unknown): string {
  if (error instanceof ConfigMistakes) return `the configuration is wrong: ${error.mistakes.join('; ')}`;
  if (error instanceof Error && 'errno' in error && error.errno === NO_SUCH_TABLE) {
    return 'the database is not up to date: run "partyline migrate"';
  }
  // A refusal is one sentence. Only unexpected errors are explained by their cause.
  if (error instanceof Fault) return reasonOf(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${reasonOf(error.cause)})` : '';
  return `${reasonOf(error)}${cause}`;
}

/** Keys are stored under SECRET_KEY. With another one than the server's, a key would be printed but never found. */
export async function ensureSecret({ kernel, config }: Session): Promise<void> {
  if ((await checkSecret(kernel, productsOf(config))) !== 'unreadable') return;
  throw new Error('SECRET_KEY is not the one of this server: the new key would not be accepted');
}
