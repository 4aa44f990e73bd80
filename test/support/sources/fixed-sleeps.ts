/**
 * Finds tests that wait for a guessed time. Such a test is slow if the time is long enough, and fails on a slow machine
 * if it is not. A test should wait for what it expects; to check that something does not happen, it should wait for
 * something that happens later.
 */
import type { SourceFile } from './architecture';

/** Shorter waits are the intervals of polling loops. */
const MIN_MS = 200;

/** Files in which the time itself is tested or simulated. */
export const TIMED: Readonly<Record<string, string>> = {
  'test/cluster/idle.test.ts': 'statements of a time in which nothing is asked',
  'test/cluster/mysql/return.test.ts': 'how long the machine of MySQL is gone, measured against the deadline',
  'test/security/abuses/half-requests.ts': 'an attacker that sends a byte a second',
  'test/security/bystander.ts': 'a person who uses the server at a steady pace during an attack',
  'test/security/stand.ts': 'the limit after which an attack that does not end has failed',
  'test/support/processes/probe/product.ts': 'a route that takes long',
};

const NUMBER = String.raw`\d[\d_]*(?:\.\d+)?`;

/** Constants of a file with a numeric value, also as a default: `Number(process.env['X'] ?? 500)`. */
function constantsIn(text: string): Map<string, number> {
  const found = text.matchAll(
    new RegExp(String.raw`const (\w+) = (?:Number\(process\.env\['\w+'\] \?\? )?'?(${NUMBER})'?\)?;`, 'g'),
  );
  return new Map([...found].map(([, name, value]) => [name!, Number(value!.replaceAll('_', ''))]));
}

/** The value of `500`, `LONG_MS` or `4 * IDLE_MS`; undefined if it is known only at run time. */
function valueOf(expression: string, constants: ReadonlyMap<string, number>): number | undefined {
  let value = 1;
  for (const [, operator = '*', word = ''] of expression.matchAll(/([*/])?\s*([^*/\s]+)/g)) {
    const factor = new RegExp(`^${NUMBER}$`).test(word) ? Number(word.replaceAll('_', '')) : constants.get(word);
    if (factor === undefined) return undefined;
    value = operator === '*' ? value * factor : value / factor;
  }
  return value;
}

/** Each fixed sleep as `path: expression`. */
export function findFixedSleeps(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const constants = constantsIn(code);
    const [, alias = 'sleep'] = /setTimeout(?: as (\w+))? } from 'node:timers\/promises'/.exec(code) ?? [];
    const calls = new RegExp(String.raw`(?<![.\w])(?:sleep|pause|delay|wait|setTimeout|${alias})\(([^(),]+)[,)]`, 'g');
    const timers = /setTimeout\((?:resolve|\(\) => resolve\([^;]*?\)), ([^(),]+)\)/g;
    return [...code.matchAll(calls), ...code.matchAll(timers)]
      .map(([, expression = '']) => expression.trim())
      .filter((expression) => (valueOf(expression, constants) ?? 0) >= MIN_MS)
      .map((expression) => `${path}: ${expression}`);
  });
}
