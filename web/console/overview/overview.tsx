/** The overview: problems first, then charts and the current state. */
import { Link } from 'wouter';
import { DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { agoOf, bytesOf, durationOf, numberOf, shareOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import { Empty, State, Trouble } from '../shell/parts';
import { Charts, rate } from './charts';
import { Findings } from './findings';
import type { NodeLine, OverviewAnswer, RoutePace } from './wire';
import table from '../../shared/tables/table.module.css';
import classes from '../shell/parts.module.css';

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
          <th scope="row">
            {node.name}
            {node.is_draining && <State state="waiting"> {t('ops.draining')}</State>}
          </th>
          <td>
            {node.host} {node.pid}
          </td>
          <td>
            {node.version} · Node.js {node.node_version}
          </td>
          <td className={table.number}>{agoOf(node.started_at)}</td>
          <td className={table.number}>{bytesOf(node.memory_bytes)}</td>
          <td className={table.number}>{durationOf(node.lag_ms)}</td>
          <td className={table.number}>{rate(node.requests_per_second)}</td>
          <td className={table.number}>{shareOf(node.error_rate)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Servers({ answer: { redis, mysql, outbox, workers } }: { answer: OverviewAnswer }) {
  return (
    <dl className={classes.facts}>
      <dt>Redis {redis?.version}</dt>
      <dd>
        {redis
          ? t('ops.redisFacts', {
              clients: numberOf(redis.clients),
              commands: numberOf(redis.commands_per_second),
              memory: bytesOf(redis.memory_bytes),
            })
          : t('ops.away')}
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
          <th scope="row">{route}</th>
          <td className={table.number}>{numberOf(requests)}</td>
          <td className={table.number}>{durationOf(mean_ms)}</td>
          <td className={table.number}>{p95_ms === null ? t('ops.veryLong') : `≤ ${durationOf(p95_ms)}`}</td>
        </tr>
      ))}
    </DataTable>
  );
}
