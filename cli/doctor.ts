/** Whether this installation can be relied on: each check on a line of its own, with what to do about it. */
import type { Command } from 'commander';
import type { Config } from '../config';
import { pendingMigrations } from '../src/kernel/mysql/migrate';
import type { Database } from '../src/kernel/mysql/pool';
import { openSecrets } from '../src/kernel/secrets';
import { fail, ok, type Finding } from '../src/ops/model/finding';
import { checkMachine } from '../src/ops/queries/check-machine';
import { checkMysql } from '../src/ops/queries/check-mysql';
import { checkRedis } from '../src/ops/queries/check-redis';
import { checkSecret } from '../src/ops/queries/check-secret';
import { migrationFolders, productsOf } from '../src/products';
import { ADVICE, lookAtMysql, lookAtRedis, mysqlAddress, redisAddress, unusable, type ServerName } from './servers';
import { withConfig } from './session';
import { columns, counted } from './text';

interface Report {
  readonly findings: readonly Finding[];
  readonly clockAheadMs?: number;
}

const MOST_CLOCK_DIFFERENCE_MS = 2000;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the machine, Redis, MySQL and the configuration; exit code 1 if anything fails')
    .action(
      withConfig(async (config) => {
        const findings = await examine(config);
        const failed = findings.filter(({ level }) => level === 'fail').length;
        const warned = findings.filter(({ level }) => level === 'warn').length;
        const lines = findings.map(({ level, check, says }) => [level, check, says]);
        const summary = `${counted(findings.length, 'check')}: ${failed} failed, ${counted(warned, 'warning')}`;
        return {
          data: { ok: failed === 0, checks: findings },
          text: `${withAdvice(columns(lines), findings)}\n${summary}`,
          exitCode: failed === 0 ? 0 : 1,
        };
      }),
    );
}

/** Below the line it belongs to. */
const withAdvice = (text: string, findings: readonly Finding[]): string =>
  text
    .split('\n')
    .flatMap((line, index) => [line, ...(findings[index]?.advice ? [`      → ${findings[index].advice}`] : [])])
    .join('\n');

async function examine(config: Config): Promise<Finding[]> {
  const [redis, mysql] = await Promise.all([
    attempt(config, 'Redis', () => lookAtRedis(config, checkRedis)),
    attempt(config, 'MySQL', () => lookAtMysql(config, (database) => examineMysql(config, database))),
  ]);
  const clocks = [redis.clockAheadMs, mysql.clockAheadMs].filter((ahead) => ahead !== undefined);
  return [
    ...checkMachine(config),
    ...redis.findings,
    ...mysql.findings,
    ...(clocks.length === 0 ? [] : [checkClocks(clocks)]),
  ];
}

async function attempt(config: Config, name: ServerName, look: () => Promise<Report>): Promise<Report> {
  const check = name.toLowerCase();
  try {
    const report = await look();
    const address = name === 'Redis' ? redisAddress(config) : mysqlAddress(config);
    return { ...report, findings: [ok(check, `answers at ${address}`), ...report.findings] };
  } catch (error) {
    return { findings: [fail(check, unusable(config, name, error), ADVICE)] };
  }
}

async function examineMysql(config: Config, mysql: Database): Promise<Report> {
  const report = await checkMysql({ mysql }, (config.nodes + config.workers) * config.mysqlConnections);
  const pending = await pendingMigrations(mysql, migrationFolders(productsOf(config)));
  if (pending.length > 0) {
    const says = `${counted(pending.length, 'migration')} pending`;
    return { ...report, findings: [...report.findings, fail('migrations', says, 'Run "partyline migrate".')] };
  }
  return {
    ...report,
    findings: [...report.findings, ok('migrations', 'none pending'), await secretKey(config, mysql)],
  };
}

async function secretKey(config: Config, mysql: Database): Promise<Finding> {
  const check = 'secret-key';
  const state = await checkSecret({ mysql, secrets: openSecrets(config.secretKey) }, productsOf(config));
  if (state === 'readable') return ok(check, 'stored keys can be read');
  if (state === 'nothing stored') return ok(check, 'no keys are stored yet');
  const advice = 'Set SECRET_KEY to what it was. If it is lost, rotate every key: no old one is accepted.';
  return fail(check, 'stored keys cannot be read: SECRET_KEY is not the one they were stored with', advice);
}

function checkClocks(aheadMs: readonly number[]): Finding {
  const clocks = [0, ...aheadMs];
  const apart = Math.max(...clocks) - Math.min(...clocks);
  const says = `this machine, Redis and MySQL are ${(apart / 1000).toFixed(1)} s apart`;
  if (apart < MOST_CLOCK_DIFFERENCE_MS) return ok('clocks', says);
  return fail('clocks', says, 'Let a time daemon (chrony, systemd-timesyncd) set the clock of every machine.');
}
