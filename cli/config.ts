/** Shows the configuration, even if it is wrong. */
import type { Command } from 'commander';
import { configMarkdown, reportConfig } from '../config/report';
import { withEnvironment } from './session';
import { table } from './text';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('every variable with its value, its default and where the value comes from; secrets masked')
    .option('--markdown', 'print docs/CONFIG.md instead')
    .action(
      withEnvironment((environment, options: { markdown?: true }) => {
        if (options.markdown) {
          const text = configMarkdown();
          // The printer adds the final line end.
          return Promise.resolve({ data: { markdown: text }, text: text.trimEnd() });
        }
        const { lines, mistakes } = reportConfig(environment);
        const rows = lines.map((line) => [line.name, line.value, line.default, line.source]);
        const text = table(['variable', 'value', 'default', 'from'], rows, '');
        return Promise.resolve({
          data: { variables: lines, mistakes },
          text: [text, ...mistakes.map((mistake) => `wrong: ${mistake}`)].join('\n'),
          exitCode: mistakes.length === 0 ? 0 : 1,
        });
      }),
    );
}
