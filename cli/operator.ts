/** Commands for operators, who run the server and may use its console. */
import type { Command } from 'commander';
import { addOperator, removeOperator } from '../src/ops/commands/operators';
import { listOperators } from '../src/ops/queries/operators';
import { name } from './arguments';
import { ensureSecret, withKernel } from './session';
import { facts, table } from './text';

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('those who run the server');

  operator
    .command('add')
    .description('add an operator and print the key, this once')
    .argument('<name>', 'what they are called', name(100))
    .option('--read-only', 'they may look at everything and change nothing')
    .action(
      withKernel(async (session, operatorName: string, options: { readOnly?: true }) => {
        await ensureSecret(session);
        const access = options.readOnly ? 'read' : 'full';
        const { key } = await addOperator(session.kernel, { name: operatorName, access });
        return facts({ name: operatorName, access, key });
      }),
    );

  operator
    .command('list')
    .description('every operator')
    .action(
      withKernel(async ({ kernel }) => {
        const operators = await listOperators(kernel.mysql);
        return {
          data: { operators: operators.map(({ createdAt, ...each }) => ({ ...each, created_at: createdAt })) },
          text: table(
            ['name', 'access', 'since'],
            operators.map((each) => [each.name, each.access, each.createdAt]),
            'there are no operators',
          ),
        };
      }),
    );

  operator
    .command('remove')
    .description("take an operator's access away")
    .argument('<name>', 'whose', name(100))
    .action(
      withKernel(async ({ kernel }, operatorName: string) => {
        await removeOperator(kernel.transaction, operatorName);
        return { data: { removed: operatorName }, text: `removed ${operatorName}` };
      }),
    );
}
