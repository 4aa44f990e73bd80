/** A small line chart: a curve above zero, with its newest and highest value in words. Gaps stay gaps. */
import { t } from '../../shared/texts/texts';
import classes from './chart.module.css';

const WIDTH = 300;
const HEIGHT = 60;

type Value = number | null;

interface ChartProps {
  readonly title: string;
  readonly values: readonly Value[];
  readonly show: (value: number) => string;
}

export function Chart({ title, values, show }: ChartProps) {
  const known = values.filter((value) => value !== null);
  const newest = known.at(-1);
  const highest = Math.max(0, ...known);
  const words =
    newest === undefined ? t('ops.notMeasured') : t('ops.nowAndMost', { now: show(newest), most: show(highest) });
  return (
    <figure className={classes.chart}>
      <figcaption>
        <b>{title}</b>
        <span>{words}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={curveOf(values, highest)} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}

/** Each run of known values is a line of its own; a single one is a point. */
export function curveOf(values: readonly Value[], highest: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  const top = HEIGHT - 2;
  let isDrawing = false;
  const parts = values.map((value, index) => {
    if (value === null) {
      isDrawing = false;
      return '';
    }
    const x = (index * step).toFixed(1);
    const y = (HEIGHT - 1 - (highest === 0 ? 0 : (value / highest) * top)).toFixed(1);
    const part = isDrawing ? `L${x} ${y}` : `M${x} ${y}h0.1`;
    isDrawing = true;
    return part;
  });
  return parts.join('');
}
