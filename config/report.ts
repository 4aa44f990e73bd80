/** Every variable as it stands in an environment: its value, its default, where the value comes from. Secrets are masked. */
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

/** Unlike loadConfig it does not refuse mistakes: whoever has made one wants to look at what there is. */
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
    // Not echoed: what cannot be read cannot be masked either.
    return '(not valid)';
  }
}

/** Addresses of servers carry passwords. That of several Sentinels is no URL that could be taken apart. */
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
