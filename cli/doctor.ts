/** Checks whether this installation can be relied on: one line per check, with advice. */
import type { Command } from 'commander';
import type { Config } from '../config';
import { openSecrets } from '../src/kernel/secrets/secrets';
import { fail, ok, warn, type Finding, type Report } from '../src/ops/model/finding';
import { checkRedis } from '../src/ops/queries/check-redis';
import { checkReplica } from '../src/ops/queries/check-mysql';
import { allFindings, examineMysql } from '../src/ops/queries/examine';
import { migrationFolders, productsOf } from '../src/products';
import {
  ADVICE,
  lookAtMysql,
  lookAtRedis,
  mysqlAddress,
  reasonOf,
  redisAddress,
  unusable,
  type ServerName,
} from './servers';
import { withConfig } from './session';
import { columns, counted } from './text';

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

/** Each piece of advice goes below its line. */
const withAdvice = (text: string, findings: readonly Finding[]): string =>
  text
    .split('\n')
    .flatMap((line, index) => [line, ...(findings[index]?.advice ? [`      → ${findings[index].advice}`] : [])])
    .join('\n');

async function examine(config: Config): Promise<Finding[]> {
  const products = productsOf(config);
  const installation = { settings: config, products, migrationFolders: migrationFolders(products) };
  const secrets = openSecrets(config.secretKey);
  return allFindings(
    config,
    await Promise.all([
      attempt(config, 'Redis', () => lookAtRedis(config, checkRedis)),
      attempt(config, 'MySQL', () => lookAtMysql(config, (mysql) => examineMysql({ mysql, secrets }, installation))),
      examineReplica(config),
    ]),
  );
}

/** Reports nothing if there is no replica. An unreachable replica is only a warning: the primary answers. */
async function examineReplica(config: Config): Promise<Report> {
  const databaseUrl = config.databaseReplicaUrl;
  if (databaseUrl === '') return { findings: [] };
  try {
    const finding = await lookAtMysql(config, (primary) =>
      lookAtMysql({ databaseUrl }, (replica) => checkReplica(primary, replica, config.replicaWaitMs)),
    );
    return { findings: [finding] };
  } catch (error) {
    const says = `cannot be used, so the primary is read from instead: ${reasonOf(error)}`;
    return {
      findings: [warn('mysql-replica', says, 'Set DATABASE_REPLICA_URL to one that answers, or leave it empty.')],
    };
  }
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
