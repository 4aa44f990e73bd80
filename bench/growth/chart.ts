/** Line charts as SVG, side by side, readable on light and dark pages. Pure: the same figures give the same text. */

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

export interface Chart {
  readonly title: string;
  /** One line, smaller than the title. */
  readonly about: string;
  /** What grows from left to right. */
  readonly across: string;
  readonly panels: readonly Panel[];
}

const WIDTH = 400;
const HEIGHT = 250;
const COLUMNS = 2;
const MARGIN = { left: 64, right: 20, top: 48, bottom: 46 };
const HEAD = 58;
/** Axis labels closer than this would overlap. */
const APART = 34;
const TICKS = 4;
/** From this ratio on, a linear axis would crowd the small numbers. */
const LOGARITHMIC_FROM = 50;

// Dash patterns too, so that lines can be told apart without colours.
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 13px; } .head { font-weight: 600; font-size: 15px; }
  .page { fill: #ffffff; } .grid { stroke: #d1d9e0; } .line { fill: none; stroke-width: 2; }
  .s0 { stroke: #0969da; } .s1 { stroke: #bc4c00; stroke-dasharray: 6 3; }
  .s2 { stroke: #1a7f37; stroke-dasharray: 2 3; } .s3 { stroke: #8250df; stroke-dasharray: 8 3 2 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .page { fill: #0d1117; } .grid { stroke: #3d444d; }
    .s0 { stroke: #4493f8; } .s1 { stroke: #f0883e; } .s2 { stroke: #3fb950; } .s3 { stroke: #ab7df8; }
  }`;

export function drawChart({ title, about, across, panels }: Chart): string {
  const rows = Math.ceil(panels.length / COLUMNS);
  const [width, height] = [COLUMNS * WIDTH, HEAD + rows * HEIGHT];
  const drawn = panels.map((panel, at) => {
    const [x, y] = [(at % COLUMNS) * WIDTH, HEAD + Math.floor(at / COLUMNS) * HEIGHT];
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel, across)}\n</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="head" x="${MARGIN.left}" y="22">${escaped(title)}</text>`,
    `<text x="${MARGIN.left}" y="41">${escaped(about)}</text>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, series }: Panel, across: string): string {
  const all = series.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const top = ceiling(Math.max(...all.map(([, y]) => y)));
  const x = horizontal(xs);
  const y = (value: number) => round(HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const ticks = Array.from({ length: TICKS + 1 }, (_, at) => (top / TICKS) * at);
  return [
    `<text class="title" x="${MARGIN.left}" y="16">${escaped(title)}</text>`,
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${MARGIN.left} ${y(tick)}H${WIDTH - MARGIN.right}"/>` +
        `<text x="${MARGIN.left - 6}" y="${y(tick) + 4}" text-anchor="end">${brief(tick)}</text>`,
    ),
    ...xs
      .filter(readableAt(x))
      .map((each) => `<text x="${x(each)}" y="${HEIGHT - 28}" text-anchor="middle">${brief(each)}</text>`),
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(across)}</text>`,
    ...series.map(({ points }, at) => {
      const path = points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${x(px)} ${y(py)}`).join('');
      const dots = points.map(([px, py]) => `<circle class="s${at}" cx="${x(px)}" cy="${y(py)}" r="2" fill="none"/>`);
      return `<path class="line s${at}" d="${path}"/>${dots.join('')}`;
    }),
    ...(series.length > 1 ? series.map(({ name }, at) => legend(name, at)) : []),
  ].join('\n');
}

/** Always shows the last label, and from the left those that leave enough room. */
function readableAt(x: (value: number) => number): (value: number, at: number, all: readonly number[]) => boolean {
  let end = -Infinity;
  return (value, at, all) => {
    const isLast = at === all.length - 1;
    const isFree = x(value) - end >= APART && x(all.at(-1)!) - x(value) >= APART;
    if (isFree) end = x(value);
    return isLast || isFree;
  };
}

function legend(name: string, at: number): string {
  const x = MARGIN.left + at * 82;
  return `<path class="line s${at}" d="M${x} 30h16"/><text x="${x + 20}" y="34">${escaped(name)}</text>`;
}

/** Logarithmic if the numbers span powers of ten. */
function horizontal(xs: readonly number[]): (x: number) => number {
  const [first, last] = [xs[0] ?? 1, xs.at(-1) ?? 1];
  const scale = last / first >= LOGARITHMIC_FROM ? Math.log10 : Number;
  const [from, to] = [scale(first), scale(last)];
  const room = WIDTH - MARGIN.left - MARGIN.right - 20;
  return (x) => round(MARGIN.left + 10 + (to === from ? 0.5 : (scale(x) - from) / (to - from)) * room);
}

/** The next number that divides into four round steps. */
export function ceiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].find((each) => each * power >= value * (1 - 1e-9));
  return (step ?? 10) * power;
}

/** Abbreviates: 1500 becomes 1.5k. */
export function brief(value: number): string {
  for (const [limit, letter] of [
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (value >= limit) return `${Number((value / limit).toPrecision(3))}${letter}`;
  }
  return String(Number(value.toPrecision(3)));
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
