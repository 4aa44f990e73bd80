/** Measures how many round trips to MySQL the requests of each route take. */
import type { Middleware } from 'koa';
import { Counter } from 'prom-client';
import type { Metrics } from '../metrics';
import { countWork, IS_COUNTING_FREE, type MysqlWork } from '../mysql/round-trips';
import type { KernelSettings } from '../settings';

interface RouteLabels {
  readonly product: string;
  readonly route: string;
  readonly method: string;
}

/** A middleware for each route. */
export type RoundTripCounter = (labels: RouteLabels) => Middleware;

export function openRoundTripCounter(
  { countRoundTrips }: Pick<KernelSettings, 'countRoundTrips'>,
  { registry }: Metrics,
): RoundTripCounter | null {
  if (countRoundTrips === 'off' || (countRoundTrips === 'auto' && !IS_COUNTING_FREE)) return null;
  const totals: (MysqlWork & { readonly labels: RouteLabels })[] = [];

  function open(name: string, help: string, take: (total: MysqlWork) => number): void {
    void new Counter({
      name,
      help,
      labelNames: ['product', 'route', 'method'],
      registers: [registry],
      // Finding the values of the labels for each request would cost more than counting.
      collect() {
        this.reset();
        for (const total of totals) this.inc({ ...total.labels }, take(total));
      },
    });
  }
  open(
    'partyline_http_mysql_round_trips_total',
    'Round trips to MySQL of HTTP requests until their answers, by route; statements that are sent together are one',
    ({ roundTrips }) => roundTrips,
  );
  open(
    'partyline_http_mysql_statements_total',
    'Statements of these round trips, with those that begin and commit',
    ({ statements }) => statements,
  );

  return (labels) => {
    const total = { labels, roundTrips: 0, statements: 0 };
    const own = [total];
    let isListed = false;
    return (_ctx, next) => {
      if (!isListed) totals.push(total);
      isListed = true;
      return countWork(own, next);
    };
  };
}
