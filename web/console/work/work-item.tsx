/** One work item with all its fields. The server masks secrets in its payload. */
import { Link } from 'wouter';
import { Page } from '../../shared/shell/page';
import { t } from '../../shared/texts/texts';
import { momentOf, numberOf } from '../data/amounts';
import { serverWords } from '../data/server-words';
import { useLive } from '../data/use-live';
import type { WorkQueue, Work } from '../data/wire';
import { LookOnly, State, Trouble } from '../shell/parts';
import { pathOf } from './remedies';
import { Remedies } from './work-table';
import forms from '../../shared/forms/form.module.css';
import classes from '../shell/parts.module.css';

type WholeWork = Work & Readonly<Record<string, unknown>> & { readonly payload: unknown };

const SHOWN: ReadonlySet<string> = new Set([
  'work_queue',
  'id',
  'state',
  'tenant',
  'tenant_name',
  'subject',
  'subject_name',
  'kind',
  'reference',
  'reason',
  'attempts',
  'created_at',
  'finished_at',
  'payload',
]);

export function WorkItemPage({ workQueue, id }: { workQueue: string; id: string }) {
  const { answer: item, error, reload } = useLive<WholeWork>(`/jobs${pathOf({ work_queue: workQueue, id })}`);
  const workQueues = useLive<{ work_queues: readonly WorkQueue[] }>('/work-queues');
  return (
    <Page title={`${workQueue} ${id}`} of={t('place.console')}>
      <p>
        <Link href={`/work?work_queue=${encodeURIComponent(workQueue)}`}>{t('ops.backToWork')}</Link>
      </p>
      <Trouble error={error} />
      {item && (
        <>
          <Facts item={item} />
          <LookOnly />
          <div className={forms.actions}>
            <Remedies
              item={item}
              workQueue={workQueues.answer?.work_queues.find(({ name }) => name === workQueue)}
              after={reload}
            />
          </div>
          <h2>{t('ops.payload')}</h2>
          <pre className={forms.code} tabIndex={0} aria-label={t('ops.payload')} role="region">
            {item.payload === null ? t('ops.noPayload') : JSON.stringify(item.payload, null, 2)}
          </pre>
        </>
      )}
    </Page>
  );
}

const withName = (id: string, name: string | null): string => (name === null ? id : `${name} (${id})`);

function Facts({ item }: { item: WholeWork }) {
  const more = Object.entries(item).filter(([name, value]) => !SHOWN.has(name) && value !== null);
  const rows: readonly (readonly [string, string | null])[] = [
    [t('ops.subject'), withName(item.subject, item.subject_name)],
    [t('tenant.kind'), item.kind],
    [t('ops.tenant'), item.tenant && withName(item.tenant, item.tenant_name)],
    [t('ops.reference'), item.reference],
    [t('ops.reason'), item.reason === null ? null : serverWords(item.reason)],
    [t('ops.attempts'), numberOf(item.attempts)],
    [t('ops.created'), momentOf(item.created_at)],
    [t('ops.finished'), item.finished_at === null ? null : momentOf(item.finished_at)],
    // Fields specific to the work queue keep their API names.
    ...more.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  ];
  return (
    <dl className={classes.facts}>
      <dt>{t('ops.state')}</dt>
      <dd>
        <State state={item.state}>{t(`workState.${item.state}`)}</State>
      </dd>
      {rows
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <Fact key={name} name={name} value={value!} />
        ))}
    </dl>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
