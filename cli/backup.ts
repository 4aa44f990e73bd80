/** Commands that back up all durable data to a directory, and restore it. */
import type { Command } from 'commander';
import type { Config } from '../config';
import type { Tenant } from '../src/kernel/actor/address';
import type { Manifest } from '../src/kernel/backup/files';
import { LOADING, restoreBackup } from '../src/kernel/backup/restore-backup';
import { skipNumbers } from '../src/kernel/backup/skip-numbers';
import { writeBackup } from '../src/kernel/backup/write-backup';
import { withAlone } from '../src/kernel/mysql/alone';
import { migrationNames, namesDone, pendingMigrations } from '../src/kernel/mysql/migrate';
import type { Database } from '../src/kernel/mysql/pool';
import type { Product } from '../src/kernel/product';
import { openSecrets } from '../src/kernel/secrets/secrets';
import { migrationFolders, productsOf, unservedProducts } from '../src/products';
import { version } from '../src/version';
import { whole } from './arguments';
import { CHANGE_DEADLINE_MS, workOnMysql } from './servers';
import { withConfig } from './session';
import { terminal } from './terminal';
import { counted } from './text';

/** A row that takes longer than this never arrives. */
const ROW_DEADLINE_MS = 60_000;

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write everything that lasts to a directory, as of one moment, while the server goes on')
    .argument('<directory>', 'a new or empty one')
    .action(
      withConfig(async (config, directory: string) => {
        const secrets = openSecrets(config.secretKey);
        const manifest = await workOnMysql(config, ROW_DEADLINE_MS, (db, settings) =>
          writeBackup({ settings, db, secrets, version, onTable }, directory),
        );
        return { data: summaryOf(manifest), text: `backed up ${described(manifest)}` };
      }),
    );

  program
    .command('restore')
    .description('put a backup into an empty database; exit code 2 if it broke off half way')
    .argument('<directory>', 'where "backup" wrote it')
    .option('--replace', 'delete everything that is in the database first')
    .option('--keep-numbers', 'skip no numbers yet: a binary log is to be replayed, and then "skip-numbers" run')
    .action(
      withConfig((config, directory: string, options: { replace?: true; keepNumbers?: true }) => {
        const [products, secrets] = [allProducts(config), openSecrets(config.secretKey)];
        const folders = migrationFolders(products);
        return workOnMysql(config, CHANGE_DEADLINE_MS, async (db, settings) => {
          const tenantsIn = (done: readonly string[]) => tenantsOf(db, products, done);
          const manifest = await restoreBackup(
            { settings, db, secrets, migrationFolders: folders, tenantsIn, onTable },
            directory,
            { replace: options.replace ?? false, skip: options.keepNumbers ? 0 : undefined },
          );
          const pending = await pendingMigrations(db, folders);
          const next = pending.length === 0 ? '' : `\nrun "partyline migrate": the backup is older than this release`;
          return { data: summaryOf(manifest), text: `restored ${described(manifest)}${next}` };
        });
      }),
    );

  program
    .command('skip-numbers')
    .description('never give out the next numbers of messages, events and rows: after a binary log was replayed')
    .argument('<count>', 'how many', whole(1, 1_000_000_000_000))
    .action(
      withConfig(async (config, by: number) => {
        await workOnMysql(config, CHANGE_DEADLINE_MS, async (db, settings) => {
          const tenants = await tenantsOf(db, allProducts(config), await namesDone(db));
          await withAlone(settings, LOADING, (connection) => skipNumbers(connection, { by, tenants, nextIds: {} }));
        });
        return { data: { skipped: by }, text: `skipped ${by} numbers` };
      }),
    );
}

/** A backup covers the whole database, whatever PRODUCTS says. */
const allProducts = (config: Config): Product[] => [...productsOf(config), ...unservedProducts(config)];

/** Tenants of the products whose tables exist, by the migrations that ran. */
async function tenantsOf(db: Database, products: readonly Product[], done: readonly string[]): Promise<Tenant[]> {
  const there = products.filter(({ migrations }) => migrationNames([migrations]).some((name) => done.includes(name)));
  const lists = there.flatMap(({ numberedTenants }) => numberedTenants?.(db) ?? []);
  return (await Promise.all(lists)).flat();
}

const onTable = (table: string, rows: number): void => terminal().complain(`${table}: ${counted(rows, 'row')}\n`);

const rowsOf = ({ tables }: Manifest): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

const summaryOf = (manifest: Manifest) => ({
  taken_at: manifest.takenAt,
  tables: Object.keys(manifest.tables).length,
  rows: rowsOf(manifest),
  binlog: manifest.binlog,
});

const described = (manifest: Manifest): string =>
  `${counted(rowsOf(manifest), 'row')} of ${counted(Object.keys(manifest.tables).length, 'table')}, as of ${manifest.takenAt}`;
