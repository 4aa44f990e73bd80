/** A small chart with its newest and highest value as text. Gaps stay gaps. */
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { extremesOf, type Value } from './series';
import classes from './chart.module.css';

const Plot = lazyPart(() => import('./plot'), 'Plot');

interface ChartProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly values: readonly Value[];
  readonly show: (value: number) => string;
  readonly showTime: (seconds: number) => string;
}

export function Chart({ title, times, values, show, showTime }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const extremes = extremesOf(values);
  const at = pointed === undefined ? undefined : values[pointed];
  const brief = extremes
    ? t('ops.nowAndMost', { now: show(extremes.newest), most: show(extremes.highest) })
    : t('ops.notMeasured');
  const whole = extremes
    ? t('ops.chartWords', {
        title,
        now: show(extremes.newest),
        most: show(extremes.highest),
        at: showTime(times[extremes.highestAt]!),
        least: show(extremes.lowest),
      })
    : `${title}: ${t('ops.notMeasured')}`;
  return (
    <figure className={classes.chart}>
      <figcaption>
        <b>{title}</b>
        <span>{at === undefined || at === null ? brief : `${showTime(times[pointed!]!)} · ${show(at)}`}</span>
      </figcaption>
      <div role="img" aria-label={whole} className={classes.plot}>
        <Suspense>
          {extremes && <Plot times={times} values={values} show={show} showTime={showTime} onPoint={setPointed} />}
        </Suspense>
      </div>
    </figure>
  );
}
