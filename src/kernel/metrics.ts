/** The metrics of a process. Each has its own registry, so that two nodes can live in one process. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  request(labels: RequestLabels, seconds: number): void;
  /** A request that waits by design, such as a poll. Its duration means nothing, so it is only counted. */
  heldRequest(labels: RequestLabels): void;
  /** Totals since the process began, for each route that does not wait. */
  routeTotals(): Promise<readonly RouteTotal[]>;
  /** Starts timing a job; call the result with the job's outcome. */
  jobStarted(job: string): (outcome: string) => void;
  /** A counter with labels. The same name returns the same counter again. */
  counter(name: string, help: string, labels: readonly string[]): (labels: Readonly<Record<string, string>>) => void;
  /** A number that is read at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** The same with labels. */
  gauges(name: string, help: string, labels: readonly string[], read: () => Promise<readonly Sample[]>): void;
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Totals of one route and method, whatever the status. */
export interface RouteTotal {
  readonly name: string;
  readonly requests: number;
  /** Responses with status 500 or above. */
  readonly errors: number;
  readonly seconds: number;
  /** Histogram buckets: requests by the bounds of REQUEST_SECONDS. Slower requests are in no bucket. */
  readonly classes: readonly number[];
}

interface RequestLabels {
  readonly product: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

const LOOK_AT_LOOP_MS = 100;
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

let ofProcess: Registry | undefined;

/**
 * Node's own metrics. What observes garbage collections and the event loop goes on until the process ends: begun for each
 * kernel, it would keep closed kernels in memory, and take more time with each.
 */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  // By default the event loop is sampled every 10 ms, which is most of what an idle node does.
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: LOOK_AT_LOOP_MS });
  return ofProcess;
}

export function openMetrics(node: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ node });
  for (const { name } of processMetrics().getMetricsAsArray()) {
    registry.registerMetric(processMetrics().getSingleMetric(name)!);
  }
  const registers = [registry];
  const requests = new Histogram({
    name: 'partyline_http_request_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['product', 'route', 'method', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const jobs = new Histogram({
    name: 'partyline_job_seconds',
    help: 'Jobs by name and how they ended',
    labelNames: ['job', 'outcome'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const running = new Counter({
    name: 'partyline_jobs_started_total',
    help: 'Jobs begun',
    labelNames: ['job'],
    registers,
  });

  return {
    registry,
    heldRequest: openHeldCounter(registers),
    routeTotals: async () => totalsOf((await requests.get()).values),
    request: (labels, seconds) => requests.observe(labels, seconds),
    jobStarted(job) {
      running.inc({ job });
      const end = jobs.startTimer({ job });
      return (outcome) => void end({ outcome });
    },
    counter(name, help, labelNames) {
      const known = registry.getSingleMetric(name) as Counter | undefined;
      const counter = known ?? new Counter({ name, help, labelNames, registers });
      return (labels) => counter.inc(labels);
    },
    gauge: (name, help, read) =>
      void new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      }),
    gauges: (name, help, labelNames, read) =>
      void new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          this.reset();
          for (const { labels, value } of await read()) this.set(labels, value);
        },
      }),
  };
}

/**
 * Most requests are polls, and finding the values of four labels costs more than everything else recorded for a poll.
 * So polls are counted here and moved to the counter at each scrape.
 */
function openHeldCounter(registers: Registry[]): (labels: RequestLabels) => void {
  const counts: { readonly labels: RequestLabels; added: number }[] = [];
  void new Counter({
    name: 'partyline_http_held_requests_total',
    help: 'HTTP requests that wait by design, by route and status',
    labelNames: ['product', 'route', 'method', 'status'],
    registers,
    collect() {
      for (const count of counts) {
        this.inc({ ...count.labels }, count.added);
        count.added = 0;
      }
    },
  });
  return ({ product, route, method, status }) => {
    for (const count of counts) {
      const { labels } = count;
      const isSame = labels.status === status && labels.route === route && labels.method === method;
      if (isSame && labels.product === product) return void (count.added += 1);
    }
    counts.push({ labels: { product, route, method, status }, added: 1 });
  };
}

type RequestSample = Awaited<ReturnType<Histogram<'le' | keyof RequestLabels>['get']>>['values'][number];

/** A product's prefix is a path. The kernel, which answers what no product has, has no prefix. */
function routeName({ method, product, route }: RequestSample['labels']): string {
  if (route === 'none') return `${method} (pages and unknown paths)`;
  return `${method} ${product === '/' || product === 'kernel' ? '' : product}${route}`;
}

function totalsOf(samples: readonly RequestSample[]): RouteTotal[] {
  const totals = new Map<string, { requests: number; errors: number; seconds: number; classes: number[] }>();
  for (const { labels, metricName = '', value } of samples) {
    const name = routeName(labels);
    const total = totals.get(name) ?? { requests: 0, errors: 0, seconds: 0, classes: REQUEST_SECONDS.map(() => 0) };
    totals.set(name, total);
    const index = REQUEST_SECONDS.indexOf(Number(labels.le));
    if (metricName.endsWith('_sum')) total.seconds += value;
    else if (index >= 0) total.classes[index]! += value;
    else if (metricName.endsWith('_count')) {
      total.requests += value;
      if (Number(labels.status) >= 500) total.errors += value;
    }
  }
  return [...totals].map(([name, total]) => ({ name, ...total }));
}
