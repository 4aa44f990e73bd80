/** A table of work items with their remedies. */
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { momentOf, numberOf } from '../data/amounts';
import type { WorkQueue, Remedy, Work, WorkState } from '../data/wire';
import { Action, ActionTable, RowActions, State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import forms from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

/** The remedies that make sense in each state. A work queue may support fewer. */
const REMEDIES: Readonly<Record<WorkState, readonly Remedy[]>> = {
  waiting: ['discard'],
  running: [],
  done: ['replay'],
  dead: ['retry', 'discard'],
  failed: [],
  discarded: ['retry'],
};

export const pathOf = ({ work_queue: workQueue, id }: Pick<Work, 'work_queue' | 'id'>): string =>
  `/${encodeURIComponent(workQueue)}/${encodeURIComponent(id)}`;

export function Remedies({
  item,
  workQueue,
  after,
}: {
  item: Work;
  workQueue: WorkQueue | undefined;
  after: () => void;
}) {
  const possible = REMEDIES[item.state].filter((remedy) => workQueue?.remedies.includes(remedy));
  return possible.map((remedy) => (
    <Action
      key={remedy}
      label={t(`remedy.${remedy}`)}
      of={`${item.work_queue} ${item.id}`}
      run={() => ops.post(`/jobs${pathOf(item)}/${remedy}`)}
      done={t('ops.done')}
      after={after}
      {...(remedy === 'discard' && { question: t('ops.discardQuestion', { id: item.id, workQueue: item.work_queue }) })}
    />
  ));
}

interface WorkTableProps {
  readonly jobs: readonly Work[];
  readonly workQueues: readonly WorkQueue[];
  readonly after: () => void;
}

export function WorkTable({ jobs, workQueues, after }: WorkTableProps) {
  if (jobs.length === 0) return null;
  const heads = [
    t('ops.work'),
    t('ops.state'),
    t('ops.subject'),
    t('tenant.kind'),
    t('ops.reason'),
    t('ops.attempts'),
    t('ops.created'),
  ];
  return (
    <ActionTable label={t('ops.found')} heads={heads}>
      {jobs.map((item) => (
        <tr key={`${item.work_queue} ${item.id}`}>
          <td>
            <Link href={`/work${pathOf(item)}`}>
              {item.work_queue} {item.id}
            </Link>
          </td>
          <td>
            <State state={item.state}>{t(`workState.${item.state}`)}</State>
          </td>
          <td className={table.words}>
            {item.subject_name ?? item.subject}
            {item.tenant !== null && <div className={forms.dim}>{item.tenant_name ?? item.tenant}</div>}
          </td>
          <td>{item.kind}</td>
          <td className={table.words}>{item.reason !== null && <ServerText text={item.reason} />}</td>
          <td className={table.number}>{numberOf(item.attempts)}</td>
          <td className={table.number}>{momentOf(item.created_at)}</td>
          <RowActions>
            <Remedies item={item} workQueue={workQueues.find(({ name }) => name === item.work_queue)} after={after} />
          </RowActions>
        </tr>
      ))}
    </ActionTable>
  );
}
