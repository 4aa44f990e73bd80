/** How the repeats of a benchmark are summarised and printed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, Target } from '../../../bench/harness/benchmark';
import { provenance } from '../../../bench/harness/provenance';
import { readResults, resultOf, writeResult } from '../../../bench/harness/results';
import type { Repeat, Sample } from '../../../bench/harness/run';
import { markdownTable, readable, textTable } from '../../../bench/harness/table';
import { machine } from './some-machine';

function benchmarkWith(target?: Target): Benchmark {
  return {
    name: 'example',
    about: 'an example',
    limit: 'nothing',
    unit: 'request',
    figures: [{ name: 'rate', from: 'rate', unit: '/s', ...(target ? { target } : {}) }],
  };
}

const sample = (rate: number, cpu: number): Sample => ({
  units: 100,
  figures: { rate, 'cpu server': cpu },
  cpu: [{ name: 'server', pid: 7, microsecondsPerUnit: cpu }],
  elsewhere: 0.02,
});

// The machine was half as fast in the last repeat: that changes both rates but not the ratio.
const repeats: Repeat[] = [
  { limit: sample(1000, 10), ours: sample(500, 30) },
  { limit: sample(1200, 11), ours: sample(480, 31) },
  { limit: sample(500, 12), ours: sample(300, 32) },
];

describe('resultOf', () => {
  it('A benchmark is compared with its limit repeat by repeat', () => {
    const { figures, cpu, elsewhere } = resultOf(benchmarkWith(), machine, { repeats, retaken: 0 });
    expect(figures[0]).toEqual({
      name: 'rate',
      unit: '/s',
      ours: 480,
      limit: 1000,
      ratio: { median: 0.5, min: 0.4, max: 0.6 },
      target: null,
      met: null,
    });
    expect(cpu.ours).toEqual([{ name: 'server', pid: 7, microsecondsPerUnit: 31 }]);
    expect(elsewhere).toBe(0.02);
  });

  it.each<[Target, boolean]>([
    [{ of: 'ratio', is: 'at least', value: 0.5 }, true],
    [{ of: 'ratio', is: 'at least', value: 0.51 }, false],
    [{ of: 'ratio', is: 'at most', value: 0.5 }, true],
    [{ of: 'ours', is: 'at least', value: 481 }, false],
    [{ of: 'ours', is: 'at most', value: 480 }, true],
    [{ of: 'excess', is: 'at most', value: -520 }, true],
    [{ of: 'excess', is: 'at most', value: -521 }, false],
  ])('A target is checked against the median: %j is met: %s', (target, met) => {
    expect(resultOf(benchmarkWith(target), machine, { repeats, retaken: 0 }).figures[0]?.met).toBe(met);
  });

  it('A result has no ratio where one of the limits was too small to measure', () => {
    const unmeasured = repeats.map((repeat, index) => (index === 1 ? { ...repeat, limit: sample(0, 10) } : repeat));
    const [rate] = resultOf(benchmarkWith(), machine, { repeats: unmeasured, retaken: 0 }).figures;
    expect(rate).toMatchObject({ ours: 480, limit: 500, ratio: null });
  });

  it('A figure is scaled to its unit, and has no ratio where one side lacks it', () => {
    const benchmark: Benchmark = {
      ...benchmarkWith(),
      figures: [
        { name: 'CPU', from: 'cpu server', unit: '%', scale: 0.1 },
        { name: 'none', from: 'unheard of', unit: 'ms', target: { of: 'ours', is: 'at most', value: 1 } },
      ],
    };
    const [cpu, none] = resultOf(benchmark, machine, { repeats, retaken: 0 }).figures;
    expect(cpu?.ours).toBeCloseTo(3.1);
    expect(none).toMatchObject({ ours: null, limit: null, ratio: null, met: null });
  });
});

describe('Tables', () => {
  const result = resultOf(benchmarkWith({ of: 'ratio', is: 'at least', value: 1.5 }), machine, { repeats, retaken: 0 });

  it('A table shows figures, ratio, target, and the processes with their pids', () => {
    const text = textTable([result]);
    expect(text).toMatch(/example +rate +480 \/s +1 000 \/s +0\.500 \[0\.400–0\.600\] +≥ 1\.5 × +MISS/);
    expect(text).toContain('CPU µs/request, ours:  server[7] 31.0');
    expect(text).not.toContain('noisy');
  });

  it('A table says when other processes used the machine', () => {
    expect(textTable([{ ...result, elsewhere: 0.25 }])).toContain('noisy: other processes used 25 % of the machine');
  });

  it('A table can be printed as Markdown', () => {
    expect(markdownTable([result])).toContain(
      '| `example` | rate | 480 /s | 1 000 /s | 0.500 [0.400–0.600] | ≥ 1.5 × | MISS |',
    );
  });
});

it.each([
  [1_234_567, '1 234 567'],
  [123.4, '123'],
  [12.34, '12.3'],
  [1.234, '1.23'],
  [0.1234, '0.123'],
  [0, '0.000'],
])('The figure %d is written as %s', (value, text) => {
  expect(readable(value)).toBe(text);
});

it('Each benchmark is stored in one file and read back', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const result = resultOf(benchmarkWith(), machine, { repeats, retaken: 0 });
    writeResult(directory, result);
    writeResult(directory, result);
    expect(readdirSync(directory)).toEqual(['example.json']);
    expect(readResults(directory)).toEqual([result]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('Stored results print the table and the machine and commit of each result', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const first = resultOf(benchmarkWith(), machine, { repeats, retaken: 0 });
    const later = { ...first, name: 'later', machine: { ...machine, commit: 'def', date: '2026-01-02T03:04:05.000Z' } };
    for (const result of [first, later]) writeResult(directory, result);
    const stored = readResults(directory);
    expect(markdownTable(stored)).toBe(markdownTable([first, later]));
    expect(provenance(stored).split('\n')).toEqual([
      '- Commit `abc`, 2026-01-01 00:00 UTC to 2026-01-01 00:00 UTC, 2 cores (Test), 8 GiB, Node 20, Redis 7, ' +
        'MariaDB 10. Benchmarks and their repeats: `example` (3).',
      '- Commit `def`, 2026-01-02 03:04 UTC to 2026-01-02 03:04 UTC, 2 cores (Test), 8 GiB, Node 20, Redis 7, ' +
        'MariaDB 10. Benchmarks and their repeats: `later` (3).',
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** Cells without the alignment spaces of the formatter. */
const cellsOf = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .join('|');

test('Every row that the committed results print is in docs/PERFORMANCE.md', () => {
  const root = join(__dirname, '../../..');
  const written = new Set(readFileSync(join(root, 'docs/PERFORMANCE.md'), 'utf8').split('\n').map(cellsOf));
  const stored = readResults(join(root, 'bench/results'));
  const printed =
    stored.length === 0
      ? []
      : markdownTable(stored)
          .split('\n')
          .filter((row) => row.startsWith('| `'));
  expect(printed.filter((row) => !written.has(cellsOf(row)))).toEqual([]);
});
