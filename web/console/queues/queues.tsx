/** Queues, schedules and workers. */
import { Link } from 'wouter';
import { DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { agoOf, bytesOf, durationOf, momentOf, numberOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import type { Queue, Schedule, Worker } from '../data/wire';
import { Action, ActionTable, Empty, RowActions, State, Trouble } from '../shell/parts';
import table from '../../shared/tables/table.module.css';

/** For what rarely changes. */
const SELDOM_MS = 15_000;

export function Queues() {
  const queues = useLive<{ queues: readonly Queue[] }>('/queues');
  const schedules = useLive<{ schedules: readonly Schedule[] }>('/schedules', {}, SELDOM_MS);
  const workers = useLive<{ workers: readonly Worker[] }>('/workers');
  return (
    <>
      <Trouble error={queues.error ?? schedules.error ?? workers.error} />
      {queues.answer && <QueueTable queues={queues.answer.queues} after={queues.reload} />}
      <h2>{t('ops.workers')}</h2>
      {workers.answer && <WorkerTable workers={workers.answer.workers} />}
      <h2>{t('ops.schedules')}</h2>
      {schedules.answer && <ScheduleTable schedules={schedules.answer.schedules} />}
    </>
  );
}

function QueueTable({ queues, after }: { queues: readonly Queue[]; after: () => void }) {
  const heads = [
    t('ops.queue'),
    t('workState.waiting'),
    t('ops.oldest'),
    t('workState.running'),
    t('ops.delayed'),
    t('opsChart.dead'),
    t('ops.donePerMinute'),
    t('ops.latency'),
  ];
  return (
    <ActionTable label={t('ops.queues')} heads={heads}>
      {queues.map((queue) => (
        <QueueRow key={queue.queue} queue={queue} after={after} />
      ))}
    </ActionTable>
  );
}

/** Jobs are items of the `jobs` work queue, whose subject is the queue. */
const jobsOf = (queue: string, state: string): string =>
  `/work?work_queue=jobs&subject=${encodeURIComponent(queue)}&state=${state}`;

function QueueRow({ queue, after }: { queue: Queue; after: () => void }) {
  const { queue: name, is_paused, latency_ms } = queue;
  const action = is_paused ? 'resume' : 'pause';
  return (
    <tr>
      <th scope="row">
        {name}
        {is_paused && <State state="dead"> {t('ops.paused')}</State>}
      </th>
      <td className={table.number}>
        <Link href={jobsOf(name, 'waiting')}>{numberOf(queue.waiting)}</Link>
      </td>
      <td className={table.number}>{queue.oldest_ms === null ? '' : durationOf(queue.oldest_ms)}</td>
      <td className={table.number}>
        <Link href={jobsOf(name, 'running')}>{numberOf(queue.active)}</Link>
      </td>
      <td className={table.number}>{numberOf(queue.delayed)}</td>
      <td className={table.number}>
        <Link href={jobsOf(name, 'dead')}>{numberOf(queue.failed)}</Link>
      </td>
      <td className={table.number}>{numberOf(queue.done_per_minute, 1)}</td>
      <td className={table.number}>
        {latency_ms.p50 !== null && latency_ms.p95 !== null
          ? `${durationOf(latency_ms.p50)} / ${durationOf(latency_ms.p95)}`
          : ''}
      </td>
      <RowActions>
        <Action
          label={t(`queueAction.${action}`)}
          of={name}
          run={() => ops.post(`/queues/${encodeURIComponent(name)}/${action}`)}
          done={t('ops.done')}
          after={after}
          {...(action === 'pause' && { question: t('ops.pauseQuestion', { queue: name }) })}
        />
      </RowActions>
    </tr>
  );
}

function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  if (workers.length === 0) return <Empty>{t('ops.noWorkers')}</Empty>;
  const heads = [t('ops.name'), t('ops.host'), t('ops.since'), t('ops.memory'), t('ops.doing')];
  return (
    <DataTable label={t('ops.workers')} heads={heads}>
      {workers.map((worker) => (
        <tr key={worker.id}>
          <th scope="row">
            {worker.name}
            {worker.is_draining && <State state="waiting"> {t('ops.draining')}</State>}
          </th>
          <td>
            {worker.host} {worker.pid}
          </td>
          <td className={table.number}>{agoOf(worker.started_at)}</td>
          <td className={table.number}>{bytesOf(worker.memory_bytes)}</td>
          <td className={table.words}>
            {worker.queues
              .filter(({ running }) => running.length > 0)
              .map(({ queue, running }) => `${queue}: ${running.map(({ since }) => agoOf(since)).join(', ')}`)
              .join('; ') || t('ops.idle')}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function ScheduleTable({ schedules }: { schedules: readonly Schedule[] }) {
  if (schedules.length === 0) return <Empty>{t('ops.noSchedules')}</Empty>;
  return (
    <DataTable label={t('ops.schedules')} heads={[t('ops.name'), t('ops.queue'), t('ops.every'), t('ops.next')]}>
      {schedules.map((schedule) => (
        <tr key={`${schedule.queue} ${schedule.name}`}>
          <th scope="row">{schedule.name}</th>
          <td>{schedule.queue}</td>
          <td className={table.number}>
            {schedule.every_ms === null ? schedule.pattern : durationOf(schedule.every_ms)}
          </td>
          <td className={table.number}>{schedule.next_at === null ? '' : momentOf(schedule.next_at)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
