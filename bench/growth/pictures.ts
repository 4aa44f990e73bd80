/** What is drawn of each sweep. Every figure is measured; none is extrapolated. */
import type { SweepPoint, SweepResult } from '../harness/sweep';
import type { Chart, Panel, Series } from './chart';

type Reading = (point: SweepPoint) => number;

const figure =
  (name: string): Reading =>
  ({ figures }) =>
    figures[name] ?? 0;

/** The share of one core that a process uses at the measured rate. */
const coreOf =
  (process: string): Reading =>
  ({ figures }) =>
    ((figures[`cpu ${process}`] ?? 0) * (figures['rate'] ?? 0)) / 10_000;

/** Converts a cost per delivery to a cost per message. */
const perMessage =
  (process: string, deliveries: Reading): Reading =>
  (point) =>
    figure(`cpu ${process}`)(point) * deliveries(point);

/** Line names with the value that each shows. */
type Lines = Readonly<Record<string, Reading>>;

const PANELS: Readonly<Record<string, Readonly<Record<string, Lines>>>> = {
  'growth-polls': {
    'deliveries per second': { rate: figure('rate') },
    'CPU of the process per delivery, µs': { server: figure('cpu server') },
    'memory of the process, MiB': { resident: figure('resident MiB') },
    'per cent of a core': { Redis: coreOf('redis'), MariaDB: coreOf('mariadb') },
    'from send to the last poll, ms': { p50: figure('last p50') },
    'CPU per message, µs': {
      Redis: perMessage('redis', ({ at }) => at),
      MariaDB: perMessage('mariadb', ({ at }) => at),
    },
  },
  'growth-nodes': {
    'deliveries per second (two cores)': { rate: figure('rate') },
    'CPU of all nodes per delivery, µs': { server: figure('cpu server') },
    'CPU per message, µs': { Redis: perMessage('redis', () => 1000), MariaDB: perMessage('mariadb', () => 1000) },
    'from send to the last poll, ms': { p50: figure('last p50') },
  },
  'growth-tenants': {
    'messages per second': { rate: figure('rate') },
    'CPU of the process per message, µs': { server: figure('cpu server') },
    'memory of the process, MiB': { resident: figure('resident MiB') },
    'CPU per message, µs': { Redis: figure('cpu redis'), MariaDB: figure('cpu mariadb') },
  },
  'growth-messages': {
    'a send, p50, ms': { send: figure('send p50') },
    'reading a hundred messages, p50, ms': {
      stream: figure('stream p50'),
      topic: figure('topic p50'),
      all: figure('everything p50'),
      search: figure('search p50'),
    },
    'CPU of MariaDB per request, µs': {
      send: figure('send mariadb µs'),
      stream: figure('stream mariadb µs'),
      all: figure('everything mariadb µs'),
      search: figure('search mariadb µs'),
    },
    'the whole database, MiB': { size: figure('database MiB') },
  },
};

export function chartOf(result: SweepResult): Chart {
  const panels = Object.entries(PANELS[result.name] ?? {}).map(([title, lines]): Panel => ({
    title,
    series: Object.entries(lines).map(([name, read]): Series => ({
      name,
      points: result.points.map((point) => [point.at, read(point)] as const),
    })),
  }));
  return { title: result.name, about: result.about, across: result.across, panels };
}
