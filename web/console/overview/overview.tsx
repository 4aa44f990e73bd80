/** What is wrong on top; then how everything fares, over the last hour or day and at this moment. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { agoOf, bytesOf, durationOf, numberOf, shareOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import { DataTable, Empty, State, Trouble } from '../shell/parts';
import { Chart } from './chart';
import { Findings } from './findings';
import { LEVELS, type Level, type NodeLine, type OverviewAnswer, type Point, type RoutePace } from './wire';
import charts from './chart.module.css';
import classes from '../shell/parts.module.css';

const rate = (value: number): string => numberOf(value, 2);
const SHOWN: Readonly<Record<Level, (value: number) => string>> = {
  requests_per_second: rate,
  errors_per_second: rate,
  events_per_second: rate,
  waiting: numberOf,
  oldest_ms: durationOf,
  dead: numberOf,
  lag_ms: durationOf,
  redis_clients: numberOf,
  mysql_connections: numberOf,
};

export function Overview() {
  const { answer, error } = useLive<OverviewAnswer>('/overview');
  return (
    <>
      <Trouble error={error} />
      {answer && <Findings findings={answer.findings} />}
      <Charts />
      {answer && (
        <>
          <h2>{t('ops.nodes')}</h2>
          <NodeTable nodes={answer.nodes} />
          <h2>{t('ops.servers')}</h2>
          <Servers answer={answer} />
          <h2>{t('ops.slowest')}</h2>
          <RouteTable routes={answer.slowest_routes} />
        </>
      )}
    </>
  );
}

const SPANS = ['hour', 'day'] as const;

function Charts() {
  const [span, setSpan] = useState<(typeof SPANS)[number]>('hour');
  const { answer, error } = useLive<{ points: readonly Point[] }>('/history', { span });
  return (
    <section aria-label={t('ops.history')}>
      <p className={classes.line}>
        {SPANS.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={each === span ? 'filled' : 'default'}
            aria-pressed={each === span}
            onClick={() => setSpan(each)}
          >
            {t(`opsSpan.${each}`)}
          </Button>
        ))}
      </p>
      <Trouble error={error} />
      <div className={charts.charts}>
        {LEVELS.map((level) => (
          <Chart
            key={level}
            title={t(`opsChart.${level}`)}
            values={answer?.points.map((point) => point[level]) ?? []}
            show={(value) => SHOWN[level](value)}
          />
        ))}
      </div>
    </section>
  );
}

function NodeTable({ nodes }: { nodes: readonly NodeLine[] }) {
  const heads = [
    t('ops.name'),
    t('ops.host'),
    t('ops.version'),
    t('ops.since'),
    t('ops.memory'),
    t('opsChart.lag_ms'),
    t('opsChart.requests_per_second'),
    t('ops.errorRate'),
  ];
  return (
    <DataTable label={t('ops.nodes')} heads={heads}>
      {nodes.map((node) => (
        <tr key={node.id}>
          <th scope="row" className={classes.rowHead}>
            {node.name}
            {node.is_draining && <State state="waiting"> {t('ops.draining')}</State>}
          </th>
          <td>
            {node.host} {node.pid}
          </td>
          <td>
            {node.version} · Node.js {node.node_version}
          </td>
          <td className={classes.number}>{agoOf(node.started_at)}</td>
          <td className={classes.number}>{bytesOf(node.memory_bytes)}</td>
          <td className={classes.number}>{durationOf(node.lag_ms)}</td>
          <td className={classes.number}>{rate(node.requests_per_second)}</td>
          <td className={classes.number}>{shareOf(node.error_rate)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Servers({ answer: { redis, mysql, outbox, workers } }: { answer: OverviewAnswer }) {
  return (
    <dl className={classes.facts}>
      <dt>Redis {redis.version}</dt>
      <dd>
        {t('ops.redisFacts', {
          clients: numberOf(redis.clients),
          commands: numberOf(redis.commands_per_second),
          memory: bytesOf(redis.memory_bytes),
        })}
      </dd>
      <dt>{mysql.version}</dt>
      <dd>{t('ops.mysqlFacts', { connections: numberOf(mysql.connections) })}</dd>
      <dt>{t('ops.outbox')}</dt>
      <dd>
        {t('ops.waitingCount', { number: numberOf(outbox.rows) })}
        {outbox.oldest_ms !== null && ` · ${durationOf(outbox.oldest_ms)}`}
      </dd>
      <dt>{t('ops.workerCount')}</dt>
      <dd>
        <Link href="/queues">{numberOf(workers)}</Link>
      </dd>
    </dl>
  );
}

function RouteTable({ routes }: { routes: readonly RoutePace[] }) {
  if (routes.length === 0) return <Empty>{t('ops.notMeasured')}</Empty>;
  return (
    <DataTable label={t('ops.slowest')} heads={[t('ops.route'), t('ops.requests'), t('ops.mean'), t('ops.p95')]}>
      {routes.map(({ route, requests, mean_ms, p95_ms }) => (
        <tr key={route}>
          <th scope="row" className={classes.rowHead}>
            {route}
          </th>
          <td className={classes.number}>{numberOf(requests)}</td>
          <td className={classes.number}>{durationOf(mean_ms)}</td>
          <td className={classes.number}>{p95_ms === null ? t('ops.veryLong') : `≤ ${durationOf(p95_ms)}`}</td>
        </tr>
      ))}
    </DataTable>
  );
}
