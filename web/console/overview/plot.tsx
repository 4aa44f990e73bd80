/** Draws a chart's curve with uPlot. Screen readers cannot read the canvas; the text beside it serves them. */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Value } from './series';

export interface PlotProps {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  /** One per time; null if there is no sample. */
  readonly values: readonly Value[];
  readonly show: (value: number) => string;
  readonly showTime: (seconds: number) => string;
  /** Reports the index of the hovered point. */
  readonly onPoint: (index: number | undefined) => void;
}

const HEIGHT = 96;
/** Wide enough for a duration or a number with thousands. */
const LEFT = 58;
const FONT = '11px system-ui, sans-serif';

/** CSS properties that carry the colours: the canvas cannot resolve variables that depend on the colour scheme. */
const CARRIERS = { curve: 'stroke', text: 'fill', grid: 'color' } as const;

/** A single value between gaps would be a line of no length. */
const lonelyIn = (values: readonly Value[]): number[] =>
  values.flatMap((value, index) => {
    const hasNeighbour = [values[index - 1] ?? null, values[index + 1] ?? null].some((each) => each !== null);
    return value === null || hasNeighbour ? [] : [index];
  });

const dataOf = ({ times, values }: Pick<PlotProps, 'times' | 'values'>): UPlot.AlignedData => [[...times], [...values]];

function optionsOf(place: HTMLElement, current: () => PlotProps): UPlot.Options {
  const colorOf = (part: keyof typeof CARRIERS) => (): string => getComputedStyle(place)[CARRIERS[part]];
  const axis = { font: FONT, stroke: colorOf('text'), ticks: { show: false } };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [6, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    // The scale starts at zero, because small differences would otherwise look large.
    scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, Math.max(1, most) * 1.08] } },
    axes: [
      { ...axis, size: 22, space: 70, grid: { show: false }, values: (_plot, at) => at.map(current().showTime) },
      {
        ...axis,
        size: LEFT,
        space: 28,
        grid: { stroke: colorOf('grid'), width: 1 },
        values: (_plot, at) => at.map(current().show),
      },
    ],
    series: [
      {},
      {
        stroke: colorOf('curve'),
        width: 1.6,
        points: { show: true, size: 4, filter: () => lonelyIn(current().values) },
      },
    ],
    hooks: { setCursor: [({ cursor }) => current().onPoint(cursor.idx ?? undefined)] },
  };
}

export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const newest = useRef(props);
  newest.current = props;
  const { times, values } = props;
  const scheme = useComputedColorScheme();

  useEffect(() => {
    const element = place.current!;
    const made = new UPlot(
      optionsOf(element, () => newest.current),
      dataOf(newest.current),
      element,
    );
    plot.current = made;
    const watching = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    watching.observe(element);
    return () => {
      watching.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => plot.current?.setData(dataOf({ times, values })), [times, values]);
  // Colours are read again at every redraw.
  useEffect(() => plot.current?.redraw(false, true), [scheme]);

  return <div ref={place} />;
}
