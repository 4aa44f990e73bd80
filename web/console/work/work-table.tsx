/** A table of work items with their remedies, for one or for all that are chosen. */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { momentOf, numberOf } from '../data/amounts';
import type { WorkQueue, Work } from '../data/wire';
import { useMayChange } from '../session/session';
import { Action, ActionTable, RowActions, State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import { ChosenBar } from './chosen-bar';
import { keyOf, pathOf, remediesFor } from './remedies';
import forms from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';
import classes from '../shell/parts.module.css';

export function Remedies({
  item,
  workQueue,
  after,
}: {
  item: Work;
  workQueue: WorkQueue | undefined;
  after: () => void;
}) {
  return remediesFor(item, workQueue).map((remedy) => (
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
  const mayChange = useMayChange();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  if (jobs.length === 0) return null;
  const choose = (key: string, isChosen: boolean): void =>
    setKeys((before) => new Set(isChosen ? [...before, key] : [...before].filter((each) => each !== key)));
  const heads = [
    ...(mayChange ? [t('ops.choose')] : []),
    t('ops.work'),
    t('ops.state'),
    t('ops.subject'),
    t('tenant.kind'),
    t('ops.reason'),
    t('ops.attempts'),
    t('ops.created'),
  ];
  return (
    <>
      <ChosenBar
        chosen={jobs.filter((item) => keys.has(keyOf(item)))}
        workQueues={workQueues}
        after={() => {
          setKeys(new Set());
          after();
        }}
      />
      <ActionTable label={t('ops.found')} heads={heads}>
        {jobs.map((item) => (
          <tr key={keyOf(item)}>
            {mayChange && (
              <td>
                <label className={classes.box}>
                  <Checkbox
                    aria-label={t('ops.chooseOne', { name: keyOf(item) })}
                    checked={keys.has(keyOf(item))}
                    onChange={(event) => choose(keyOf(item), event.currentTarget.checked)}
                  />
                </label>
              </td>
            )}
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
    </>
  );
}
