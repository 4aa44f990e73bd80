/** A table of work items with their remedies. */
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { momentOf, numberOf } from '../data/amounts';
import type { WorkQueue, Remedy, Work, WorkState } from '../data/wire';
import { Action, Actions, DataTable, State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import classes from '../shell/parts.module.css';

/** The remedies that make sense in each state. A desk may support fewer. */
const REMEDIES: Readonly<Record<WorkState, readonly Remedy[]>> = {
  waiting: ['discard'],
  running: [],
  done: ['replay'],
  dead: ['retry', 'discard'],
  failed: [],
  discarded: ['retry'],
};

export const pathOf = ({ desk, id }: Pick<Work, 'desk' | 'id'>): string =>
  `/${encodeURIComponent(desk)}/${encodeURIComponent(id)}`;

export function Remedies({ item, desk, after }: { item: Work; desk: WorkQueue | undefined; after: () => void }) {
  const possible = REMEDIES[item.state].filter((remedy) => desk?.remedies.includes(remedy));
  return possible.map((remedy) => (
    <Action
      key={remedy}
      label={t(`remedy.${remedy}`)}
      of={`${item.desk} ${item.id}`}
      run={() => ops.post(`/jobs${pathOf(item)}/${remedy}`)}
      done={t('ops.done')}
      after={after}
      {...(remedy === 'discard' && { question: t('ops.discardQuestion', { id: item.id, desk: item.desk }) })}
    />
  ));
}

interface WorkTableProps {
  readonly jobs: readonly Work[];
  readonly desks: readonly WorkQueue[];
  readonly after: () => void;
}

export function WorkTable({ jobs, desks, after }: WorkTableProps) {
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
    <DataTable label={t('ops.found')} heads={heads} hasActions>
      {jobs.map((item) => (
        <tr key={`${item.desk} ${item.id}`}>
          <td>
            <Link href={`/work${pathOf(item)}`}>
              {item.desk} {item.id}
            </Link>
          </td>
          <td>
            <State state={item.state}>{t(`workState.${item.state}`)}</State>
          </td>
          <td className={classes.words}>
            {item.subject}
            {item.tenant !== null && <div className={classes.dim}>{item.tenant}</div>}
          </td>
          <td>{item.kind}</td>
          <td className={classes.words}>{item.reason !== null && <ServerText text={item.reason} />}</td>
          <td className={classes.number}>{numberOf(item.attempts)}</td>
          <td className={classes.number}>{momentOf(item.created_at)}</td>
          <Actions>
            <Remedies item={item} desk={desks.find(({ name }) => name === item.desk)} after={after} />
          </Actions>
        </tr>
      ))}
    </DataTable>
  );
}
