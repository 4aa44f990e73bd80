/** Work of all work queues: backlog, failures, search, and remedies. */
import { Button } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { durationOf, numberOf } from '../data/amounts';
import { useLive } from '../data/use-live';
import type { WorkQueue, Remedy, Work } from '../data/wire';
import { Action, Empty, Trouble } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import { byNeed } from './work-queue-order';
import { givenFields, readFilter, writeFilter, type Filter } from './filter';
import { SearchForm } from './search-form';
import { WorkTable } from './work-table';
import forms from '../../shared/forms/form.module.css';
import classes from '../shell/parts.module.css';

const PAGE = 100;

export function WorkPage() {
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const workQueues = useLive<{ work_queues: readonly WorkQueue[] }>('/work-queues');
  const found = useLive<{ jobs: readonly Work[] }>('/jobs', { ...givenFields({ ...filter }), limit: PAGE });
  const known = workQueues.answer?.work_queues ?? [];
  const jobs = found.answer?.jobs;
  const look = (next: Partial<Filter>): void => setParams(writeFilter({ ...filter, before: '', ...next }));
  const reload = (): void => {
    workQueues.reload();
    found.reload();
  };
  return (
    <>
      <Trouble error={workQueues.error ?? found.error} />
      <WorkQueueCards workQueues={known} onChoose={(workQueue, state) => look({ work_queue: workQueue, state })} />
      <SearchForm key={params.toString()} filter={filter} workQueues={known.map(({ name }) => name)} onSearch={look} />
      <ForAll
        workQueue={known.find(({ name }) => name === filter.work_queue)}
        filter={filter}
        count={jobs?.length}
        after={reload}
      />
      {jobs && <WorkTable jobs={jobs} workQueues={known} after={reload} />}
      {jobs?.length === 0 && <Empty>{t('ops.nothingFound')}</Empty>}
      <Paging filter={filter} jobs={jobs ?? []} onLook={look} />
    </>
  );
}

interface PagingProps {
  readonly filter: Filter;
  readonly jobs: readonly Work[];
  readonly onLook: (next: Partial<Filter>) => void;
}

/** Ids are unique only within a work queue, so only a search in one has further pages. */
function Paging({ filter, jobs, onLook }: PagingProps) {
  const hasMore = jobs.length === PAGE;
  return (
    <div className={forms.actions}>
      {filter.before !== '' && (
        <Button variant="default" onClick={() => onLook({})}>
          {t('ops.newest')}
        </Button>
      )}
      {hasMore && filter.work_queue !== '' && (
        <Button variant="default" onClick={() => onLook({ before: jobs.at(-1)!.id })}>
          {t('ops.older')}
        </Button>
      )}
      {hasMore && filter.work_queue === '' && <Empty>{t('ops.chooseWorkQueue')}</Empty>}
    </div>
  );
}

function WorkQueueCards({
  workQueues,
  onChoose,
}: {
  workQueues: readonly WorkQueue[];
  onChoose: (workQueue: string, state: string) => void;
}) {
  return (
    <ul className={classes.cards} aria-label={t('ops.workQueues')}>
      {byNeed(workQueues).map(({ name, about, waiting, running, oldest_ms, dead }) => (
        <li key={name} className={classes.card}>
          <b>{name}</b>
          <p className={forms.dim}>
            <ServerText text={about} />
          </p>
          <p className={forms.actions}>
            <Button size="compact-sm" variant="subtle" onClick={() => onChoose(name, 'waiting')}>
              {t('ops.waitingCount', { number: numberOf(waiting) })}
              {oldest_ms !== null && ` · ${durationOf(oldest_ms)}`}
            </Button>
            {running !== null && (
              <Button size="compact-sm" variant="subtle" onClick={() => onChoose(name, 'running')}>
                {t('ops.runningCount', { number: numberOf(running) })}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              {...(dead > 0 && { c: 'var(--pl-bad)' })}
              onClick={() => onChoose(name, 'dead')}
            >
              {t('ops.deadCount', { count: dead, number: numberOf(dead) })}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  );
}

interface ForAllProps {
  readonly workQueue: WorkQueue | undefined;
  readonly filter: Filter;
  readonly count: number | undefined;
  readonly after: () => void;
}

/** Retries or discards every dead letter that matches the search, including those on later pages. */
function ForAll({ workQueue, filter, count = 0, after }: ForAllProps) {
  if (!workQueue || filter.state !== 'dead' || count === 0) return null;
  const { before: _, state: __, ...wanted } = filter;
  const run = (remedy: Remedy) => () => ops.post(`/dead-letters/${remedy}`, givenFields(wanted));
  const done = (answer: unknown): string => t('ops.doneCount', { number: (answer as { count: number }).count });
  const questions = { retry: 'ops.retryAllQuestion', discard: 'ops.discardAllQuestion' } as const;
  return (
    <p className={forms.actions}>
      {(['retry', 'discard'] as const)
        .filter((remedy) => workQueue.remedies.includes(remedy))
        .map((remedy) => (
          <Action
            key={remedy}
            label={t(remedy === 'retry' ? 'ops.retryAll' : 'ops.discardAll')}
            of={workQueue.name}
            question={t(questions[remedy], { workQueue: workQueue.name })}
            run={run(remedy)}
            done={done}
            after={after}
          />
        ))}
    </p>
  );
}
