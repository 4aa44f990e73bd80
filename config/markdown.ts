/** Prints docs/CONFIG.md from the table of variables; a test compares the two. */
import type { Variable } from './kinds';
import { printedDefault, variablesByGroup } from './report';

const OPENING = `# Configuration

Partyline is configured by environment variables alone. All processes of one installation have the same ones, except
\`PORT\`, \`WORKER_PORT\` and \`NODE_NAME\`. An empty variable counts as unset. A process that finds mistakes names all of
them at once and does not start.

\`npm run cli -- config\` prints the values in force and where each comes from, secrets masked;
\`npm run cli -- doctor\` says whether they make sense together.

This page is printed from \`config/variables.ts\`; after a change there, run
\`node dist/cli/main.js config --markdown > docs/CONFIG.md\`.
`;

export function configMarkdown(): string {
  const sections = variablesByGroup().map(
    ({ group, variables }) =>
      `## ${group}\n\n| variable | default | may be | meaning |\n|---|---|---|---|\n${variables.map(row).join('')}`,
  );
  return [OPENING, ...sections].join('\n');
}

function row(variable: Variable<unknown>): string {
  const { name, kind, meaning, requiredInProduction } = variable;
  const required = requiredInProduction ? ' **Required in production.**' : '';
  return `| \`${name}\` | ${defaultCell(variable)} | ${cell(kind.label)} | ${cell(meaning)}${required} |\n`;
}

function defaultCell(variable: Variable<unknown>): string {
  if (variable.requiredInProduction || variable.defaultLabel) return cell(printedDefault(variable));
  const text = printedDefault(variable);
  return text === '' ? 'empty' : `\`${cell(text)}\``;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
