/** Runs the installation checks of `doctor`, which the console shows too. */
import type { Kernel, Storage } from '../../kernel/kernel';
import { pendingMigrations } from '../../kernel/mysql/migrate';
import type { Product } from '../../kernel/product';
import { fail, ok, type Finding, type Report } from '../model/finding';
import { checkMachine, type EnvironmentSettings } from './check-machine';
import { checkMysql } from './check-mysql';
import { checkRedis } from './check-redis';

type Parts = Storage & Pick<Kernel, 'redis'>;

/** What the checks examine. */
export interface Installation {
  readonly settings: EnvironmentSettings & {
    readonly nodes: number;
    readonly workers: number;
    readonly mysqlConnections: number;
    readonly smtpUrl: string;
  };
  readonly products: readonly Product[];
  readonly migrationFolders: readonly string[];
}

const MAX_CLOCK_DIFFERENCE_MS = 2000;

export async function examineMysql(
  { mysql, secrets }: Pick<Kernel, 'mysql' | 'secrets'>,
  { settings, products, migrationFolders }: Installation,
): Promise<Report> {
  const report = await checkMysql(mysql, (settings.nodes + settings.workers) * settings.mysqlConnections);
  const { length: pending } = await pendingMigrations(mysql, migrationFolders);
  if (pending > 0) {
    return {
      ...report,
      findings: [...report.findings, fail('migrations', `${pending} pending`, 'Run "partyline migrate".')],
    };
  }
  const secret = secretFinding(await checkSecret({ mysql, secrets }, products));
  return { ...report, findings: [...report.findings, ok('migrations', 'none pending'), secret] };
}

/** Whether stored values can be decrypted, that is, whether SECRET_KEY is the one they were stored with. */
export type SecretState = 'readable' | 'unreadable' | 'nothing stored';

/** Tries one value of each product. */
export async function checkSecret(
  { mysql, secrets }: Pick<Kernel, 'mysql' | 'secrets'>,
  products: readonly Product[],
): Promise<SecretState> {
  const samples = await Promise.all(products.flatMap(({ sealedSample }) => sealedSample?.(mysql) ?? []));
  const sealed = samples.filter((sample) => sample !== undefined);
  if (sealed.length === 0) return 'nothing stored';
  try {
    for (const sample of sealed) secrets.decrypt(sample);
    return 'readable';
  } catch {
    return 'unreadable';
  }
}

function secretFinding(state: SecretState): Finding {
  const check = 'secret-key';
  if (state === 'readable') return ok(check, 'stored keys can be read');
  if (state === 'nothing stored') return ok(check, 'no keys are stored yet');
  const advice = 'Set SECRET_KEY to what it was. If it is lost, rotate every key: no old one is accepted.';
  return fail(check, 'stored keys cannot be read: SECRET_KEY is not the one they were stored with', advice);
}

/** All findings, plus one that compares the reported clocks. */
export function allFindings(settings: EnvironmentSettings, reports: readonly Report[]): Finding[] {
  const clocks = reports.flatMap(({ clockAheadMs }) => clockAheadMs ?? []);
  return [
    ...checkMachine(settings),
    ...reports.flatMap(({ findings }) => findings),
    ...(clocks.length === 0 ? [] : [checkClocks(clocks)]),
  ];
}

function checkClocks(aheadMs: readonly number[]): Finding {
  const clocks = [0, ...aheadMs];
  const apart = Math.max(...clocks) - Math.min(...clocks);
  const says = `this machine, Redis and MySQL are ${Math.round(apart)} ms apart`;
  if (apart < MAX_CLOCK_DIFFERENCE_MS) return ok('clocks', says);
  return fail('clocks', says, 'Let a time daemon (chrony, systemd-timesyncd) set the clock of every machine.');
}

/** Runs the checks from this node. Redis is skipped if it does not answer. */
export async function examine(kernel: Parts, installation: Installation, hasRedis: boolean): Promise<Finding[]> {
  const reports = await Promise.all([
    ...(hasRedis ? [checkRedis(kernel.redis.commands)] : []),
    examineMysql(kernel, installation),
  ]);
  return allFindings(installation.settings, reports);
}
