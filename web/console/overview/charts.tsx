/** Charts of the last hour or day, and all numbers as a table, for exact values and for screen readers. */
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { durationOf, numberOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import { Trouble } from '../shell/parts';
import { Chart } from './chart';
import { LEVELS, type Level, type Point } from './wire';
import charts from './chart.module.css';
import forms from '../../shared/forms/form.module.css';
import classes from '../shell/parts.module.css';

const SPANS = ['hour', 'day'] as const;
/** As often as a node samples. */
const EVERY_MS = 10_000;

export const rate = (value: number): string => numberOf(value, 2);

const SHOWN: Readonly<Record<Level, (value: number) => string>> = {
  requests_per_second: rate,
  errors_per_second: rate,
  events_per_second: rate,
  waiting: (value) => numberOf(value),
  oldest_ms: durationOf,
  dead: (value) => numberOf(value),
  lag_ms: durationOf,
  redis_clients: (value) => numberOf(value),
  mysql_connections: (value) => numberOf(value),
};

const timeOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString(useLanguage.getState().locale, { hour: '2-digit', minute: '2-digit' });

const NONE: readonly Point[] = [];

export function Charts() {
  const [span, setSpan] = useState<(typeof SPANS)[number]>('hour');
  const { answer, error } = useLive<{ points: readonly Point[] }>('/history', { span }, EVERY_MS);
  const points = answer?.points ?? NONE;
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1000), [points]);
  const values = useMemo(
    () => LEVELS.map((level) => ({ level, values: points.map((point) => point[level]) })),
    [points],
  );
  return (
    <section aria-label={t('ops.history')}>
      <p className={forms.actions}>
        {SPANS.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant="default"
            className={charts.span}
            aria-pressed={each === span}
            onClick={() => setSpan(each)}
          >
            {t(`opsSpan.${each}`)}
          </Button>
        ))}
      </p>
      <Trouble error={error} />
      <div className={charts.charts}>
        {values.map((each) => (
          <Chart
            key={each.level}
            title={t(`opsChart.${each.level}`)}
            times={times}
            values={each.values}
            show={SHOWN[each.level]}
            showTime={timeOf}
          />
        ))}
      </div>
      <Numbers points={points} />
    </section>
  );
}

/** Rendered only when opened, because a day has more than a thousand numbers. */
function Numbers({ points }: { points: readonly Point[] }) {
  const [isOpen, setOpen] = useState(false);
  const heads = [t('ops.time'), ...LEVELS.map((level) => t(`opsChart.${level}`))];
  return (
    <details className={charts.checks} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ops.asTable')}</summary>
      {isOpen && (
        <DataTable label={t('ops.asTable')} heads={heads}>
          {points.toReversed().map((point) => (
            <tr key={point.at}>
              <th scope="row">{timeOf(Date.parse(point.at) / 1000)}</th>
              {LEVELS.map((level) => (
                <td key={level} className={classes.number}>
                  {point[level] === null ? '–' : SHOWN[level](point[level])}
                </td>
              ))}
            </tr>
          ))}
        </DataTable>
      )}
    </details>
  );
}
