/** Sweeps: their points are stored together, and drawn. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brief, ceiling, drawChart } from '../../../bench/growth/chart';
import { chartOf } from '../../../bench/growth/pictures';
import { keepPoint, readSweep, type SweepPoint, type SweepResult } from '../../../bench/harness/sweep';
import { machine } from './some-machine';

const root = join(__dirname, '../../..');
const sweep = { name: 'growth-nodes', about: 'an example', across: 'nodes', unit: 'delivery' };
const point = (at: number, rate: number): SweepPoint => ({
  at,
  figures: { rate, 'cpu server': 20, 'cpu redis': 0.2, 'cpu mariadb': 0.4, 'last p50': 3 },
  repeats: 3,
  elsewhere: 0,
  machine,
});

test('A repeated point of a sweep replaces the old one, and the points stay in order', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sweep-'));
  try {
    for (const each of [point(4, 400), point(1, 100), point(4, 410)]) keepPoint(directory, sweep, each);
    expect(readdirSync(directory)).toEqual(['growth-nodes.json']);
    expect(readSweep(directory, 'growth-nodes')?.points.map(({ at, figures }) => [at, figures['rate']])).toEqual([
      [1, 100],
      [4, 410],
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('A sweep that was never run has no result', () => {
  expect(readSweep(tmpdir(), 'growth-of-nothing')).toBeUndefined();
});

describe('Charts', () => {
  const result: SweepResult = { ...sweep, points: [point(1, 100), point(2, 150)] };
  const svg = drawChart(chartOf(result));

  test('A chart has a panel for each figure, and a line and a dot for each point', () => {
    expect(svg).toContain('>deliveries per second (two cores)<');
    expect(svg.match(/<path class="line s0"/g)).toHaveLength(5);
    expect(svg.match(/<circle/g)).toHaveLength(10);
  });

  test('A chart is readable on light and on dark pages', () => {
    expect(svg).toContain('prefers-color-scheme: dark');
  });

  test('A chart escapes text that could be read as markup', () => {
    expect(drawChart({ title: 'a < b & c', about: '', across: 'x', panels: [] })).toContain('a &lt; b &amp; c');
  });

  test('A chart leaves out axis numbers that would overlap, but never the last', () => {
    const points = [1, 10_000, 19_000, 19_500].map((x) => [x, 1] as const);
    const crowded = drawChart({
      title: 't',
      about: '',
      across: 'x',
      panels: [{ title: 't', series: [{ name: 's', points }] }],
    });
    expect(crowded).toContain('>19.5k<');
    expect(crowded).not.toContain('>19k<');
  });

  test('A chart puts powers of ten at equal distances', () => {
    const panels = [
      {
        title: 't',
        series: [
          {
            name: 's',
            points: [
              [10, 1],
              [100, 1],
              [1000, 1],
            ] as const,
          },
        ],
      },
    ];
    const [, ...xs] = /d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+L([\d.]+) /.exec(
      drawChart({ title: 't', about: '', across: 'x', panels }),
    )!;
    const [first, second, third] = xs.map(Number) as [number, number, number];
    expect(second - first).toBeCloseTo(third - second, 0);
  });
});

test.each([
  [0, 1],
  [7, 8],
  [1000, 1000],
  [1.21, 1.6],
  [98, 100],
])('An axis for values up to %d ends at %d', (value, end) => {
  expect(ceiling(value)).toBeCloseTo(end);
});

test.each([
  [0, '0'],
  [19_500, '19.5k'],
  [1_000_000, '1M'],
  [0.25, '0.25'],
])('The number %d is written as %s', (value, text) => {
  expect(brief(value)).toBe(text);
});

test('Every chart of a sweep in the documents is drawn from the committed points', () => {
  const directory = join(root, 'bench/results/growth');
  for (const file of readdirSync(directory)) {
    const name = file.replace(/\.json$/, '');
    const drawn = drawChart(chartOf(readSweep(directory, name)!));
    expect(readFileSync(join(root, 'docs/pictures', `${name}.svg`), 'utf8')).toBe(drawn);
  }
});
