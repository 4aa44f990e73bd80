/** Formats results as a table for the terminal and one for the documentation. */
import type { Target } from './benchmark';
import type { FigureResult, Result } from './results';
import { NOISE, type ProcessCost } from './run';

const HEADINGS = ['benchmark', 'figure', 'ours', 'limit', 'ratio [min–max]', 'target', ''];

/** Three digits, with thousands separated. */
export function readable(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : 3);
}

const withUnit = (value: number | null, unit: string): string =>
  value === null ? '–' : `${readable(value)} ${unit}`.trim();

function boundOf({ of, value }: Target, unit: string): string {
  if (of === 'ratio') return `${value} ×`;
  return of === 'ours' ? withUnit(value, unit) : `limit + ${withUnit(value, unit)}`;
}

function rowOf(figure: FigureResult, name: string): string[] {
  const { ratio, target, met, unit } = figure;
  const sign = target?.is === 'at least' ? '≥' : '≤';
  const bound = target ? boundOf(target, unit) : '';
  return [
    name,
    figure.name,
    withUnit(figure.ours, unit),
    withUnit(figure.limit, unit),
    ratio ? `${readable(ratio.median)} [${readable(ratio.min)}–${readable(ratio.max)}]` : '–',
    target ? `${sign} ${bound}` : '',
    met === null ? '' : met ? 'pass' : 'MISS',
  ];
}

const costLine = (costs: readonly ProcessCost[], withPids: boolean): string =>
  costs
    .map(
      ({ name, pid, microsecondsPerUnit }) => `${name}${withPids ? `[${pid}]` : ''} ${readable(microsecondsPerUnit)}`,
    )
    .join(', ');

/** For a terminal: each benchmark's figures, then where its CPU time went. */
export function textTable(results: readonly Result[]): string {
  const rows = results.map(({ name, figures }) =>
    figures.map((figure, index) => rowOf(figure, index === 0 ? name : '')),
  );
  const all = [HEADINGS, ...rows.flat()];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  const blocks = results.map(({ cpu, unit, elsewhere }, index) => [
    ...rows[index]!.map(line),
    `  CPU µs/${unit}, ours:  ${costLine(cpu.ours, true)}`,
    `  CPU µs/${unit}, limit: ${costLine(cpu.limit, true)}`,
    ...(elsewhere > NOISE ? [`  noisy: other processes used ${Math.round(elsewhere * 100)} % of the machine`] : []),
  ]);
  return [line(HEADINGS), ...blocks.flat()].join('\n');
}

/** For docs/PERFORMANCE.md. */
export function markdownTable(results: readonly Result[]): string {
  const figures = results.flatMap(({ name, figures: each }) =>
    each.map((figure, index) => rowOf(figure, index === 0 ? `\`${name}\`` : '')),
  );
  const costs = results.map(({ name, unit, cpu, elsewhere }) => [
    `\`${name}\``,
    unit,
    costLine(cpu.ours, false),
    costLine(cpu.limit, false),
    `${Math.round(elsewhere * 100)} %`,
  ]);
  return [
    markdown(HEADINGS, figures),
    markdown(['benchmark', 'per', 'ours, CPU µs', 'limit, CPU µs', 'others on the machine'], costs),
  ].join('\n\n');
}

function markdown(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
