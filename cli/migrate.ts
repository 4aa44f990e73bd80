/** Commands that migrate the database, and fill an empty one with demo data. */
import type { Command } from 'commander';
import { migrate, migrateDown } from '../src/kernel/mysql/migrate';
import { migrationFolders, productsOf, unservedProducts } from '../src/products';
import { CHANGE_DEADLINE_MS, workOnMysql } from './servers';
import { withConfig, withKernel } from './session';
import { counted } from './text';

export function addMigrateCommands(program: Command): void {
  program
    .command('migrate')
    .description('run the migrations of the kernel and of PRODUCTS that are pending')
    .option('--down', 'take back the newest batch instead')
    .action(
      withConfig((config, options: { down?: boolean }) =>
        workOnMysql(config, CHANGE_DEADLINE_MS, async (db) => {
          const folders = migrationFolders(productsOf(config));
          const others = unservedProducts(config).map(({ migrations }) => migrations);
          const names = options.down ? await migrateDown(db, folders) : await migrate(db, folders, others);
          const verb = options.down ? 'took back' : 'ran';
          const done = `${verb} ${counted(names.length, 'migration')}:\n  ${names.join('\n  ')}`;
          const text = names.length === 0 ? 'nothing to do' : done;
          return { data: { [options.down ? 'down' : 'up']: names }, text };
        }),
      ),
    );

  program
    .command('seed')
    .description('fill an empty database with demo data; never in production')
    .action(
      withKernel(async ({ config, kernel }) => {
        if (config.nodeEnv === 'production') throw new Error('there is no demo data in production');
        const seeded: Record<string, boolean> = {};
        for (const { name, seedDemo } of productsOf(config)) if (seedDemo) seeded[name] = await seedDemo(kernel);
        const filled = Object.entries(seeded)
          .filter(([, done]) => done)
          .map(([name]) => name);
        return { data: seeded, text: filled.length === 0 ? 'already filled' : `filled ${filled.join(' and ')}` };
      }),
    );
}
