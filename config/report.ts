/** Every variable in an environment: its value, default and source. Secrets are masked. */
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

export function variablesByGroup(): { group: string; variables: Variable<unknown>[] }[] {
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

export const printedDefault = ({ kind, fallback, defaultLabel }: Variable<unknown>): string =>
  defaultLabel ?? kind.print(fallback);

function valueOf(variable: Variable<unknown>, written: string): Pick<ReportLine, 'value' | 'source'> {
  if (written === '') return { value: withoutPassword(variable.kind.print(variable.fallback)), source: 'default' };
  return { value: shown(variable, written), source: 'environment' };
}

function shown(variable: Variable<unknown>, written: string): string {
  if (variable.secret) return MASK;
  try {
    return withoutPassword(variable.kind.print(variable.kind.parse(written)));
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
