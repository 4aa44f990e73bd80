/** Every variable in an environment: its value, default and source, secrets masked; and docs/CONFIG.md. */
import { ConfigMistakes, loadConfig } from './index';
import type { Variable } from './kinds';
import { groups } from './variables';

export interface ReportLine {
  readonly group: string;
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly source: 'environment' | 'default';
}

export interface ConfigReport {
  readonly lines: readonly ReportLine[];
  readonly mistakes: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const MASK = '********';

function variablesByGroup(): { group: string; variables: Variable<unknown>[] }[] {
  return Object.entries(groups).map(([group, table]) => ({
    group,
    variables: Object.values<Variable<unknown>>(table),
  }));
}

/** Unlike loadConfig it accepts mistakes, because a user with a mistake wants to see the values. */
export function reportConfig(environment: Environment): ConfigReport {
  const lines = variablesByGroup().flatMap(({ group, variables }) =>
    variables.map((variable) => ({
      group,
      name: variable.name,
      ...valueOf(variable, environment[variable.name] ?? ''),
      default: printedDefault(variable),
    })),
  );
  return { lines, mistakes: mistakesOf(environment) };
}

const printed = (kind: Variable<unknown>['kind'], value: unknown): string => kind.print?.(value) ?? String(value);

export const printedDefault = ({ kind, fallback, defaultLabel }: Variable<unknown>): string =>
  defaultLabel ?? printed(kind, fallback);

function valueOf(variable: Variable<unknown>, written: string): Pick<ReportLine, 'value' | 'source'> {
  if (written === '') return { value: withoutPassword(printed(variable.kind, variable.fallback)), source: 'default' };
  return { value: shown(variable, written), source: 'environment' };
}

function shown(variable: Variable<unknown>, written: string): string {
  if (variable.secret) return MASK;
  try {
    return withoutPassword(printed(variable.kind, variable.kind.parse(written)));
  } catch {
    // Not echoed: a value that cannot be parsed cannot be masked either.
    return '(not valid)';
  }
}

/** Server addresses contain passwords. A regular expression, because several Sentinels are not a standard URL. */
const withoutPassword = (text: string): string => text.replace(/^([a-z+]+:\/\/[^:@/]*:)[^@/]+@/, `$1${MASK}@`);

function mistakesOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigMistakes) return error.mistakes;
    throw error;
  }
}

const OPENING = `# Configuration

Partyline is configured by environment variables alone. All processes of one installation have the same ones, except
\`PORT\`, \`WORKER_PORT\` and \`NODE_NAME\`. An empty variable counts as unset. A process that finds mistakes names all of
them at once and does not start.

\`npm run cli -- config\` prints the values in force and where each comes from, secrets masked;
\`npm run cli -- doctor\` says whether they make sense together.

This page is printed from \`config/variables.ts\`; after a change there, run
\`node dist/cli/main.js config --markdown > docs/CONFIG.md\`.
`;

/** Prints docs/CONFIG.md from the table of variables; a test compares the two. */
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
