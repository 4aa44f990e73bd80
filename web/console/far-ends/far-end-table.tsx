/** A table of far ends. */
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { agoOf, momentOf, numberOf } from '../data/amounts';
import { ActionTable, RowActions, State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import { FarEndActions } from './far-end-actions';
import type { FarEnd, FarEndForm } from './wire';
import forms from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

interface FarEndTableProps {
  readonly farEnds: readonly FarEnd[];
  readonly kinds: readonly FarEndForm[];
  readonly after: () => void;
}

export function FarEndTable({ farEnds, kinds, after }: FarEndTableProps) {
  const heads = [t('ops.name'), t('tenant.kind'), t('ops.state'), t('farEnd.succeeded'), t('farEnd.error')];
  return (
    <ActionTable label={t('farEnd.title')} heads={heads}>
      {farEnds.map((farEnd) => (
        <Row
          key={`${farEnd.kind} ${farEnd.id}`}
          farEnd={farEnd}
          form={kinds.find(({ kind }) => kind === farEnd.kind)}
          after={after}
        />
      ))}
    </ActionTable>
  );
}

function Row({ farEnd, form, after }: { farEnd: FarEnd; form: FarEndForm | undefined; after: () => void }) {
  const { kind, name, tenant_name: owner, state, succeeded_at: succeeded, error } = farEnd;
  return (
    <tr>
      <th scope="row" className={table.words}>
        {owner ?? t('farEnd.own')}
        <div className={forms.dim}>{name}</div>
      </th>
      <td>{t(`farEnd.${kind}`)}</td>
      <td>
        <State state={state}>{t(`farEndState.${state}`)}</State>
      </td>
      <td>{succeeded !== null && momentOf(succeeded)}</td>
      <td className={table.words}>
        {error !== '' && <ServerText text={error} />}
        <Failing farEnd={farEnd} />
        <Waiting farEnd={farEnd} />
      </td>
      <RowActions>{form && <FarEndActions farEnd={farEnd} form={form} after={after} />}</RowActions>
    </tr>
  );
}

function Failing({ farEnd: { failing_since: since, failed_at: failed, failures } }: { farEnd: FarEnd }) {
  if (since !== null) return <small>{t('farEnd.since', { time: agoOf(since), count: numberOf(failures) })}</small>;
  return failed === null ? null : <small>{t('farEnd.over', { moment: momentOf(failed) })}</small>;
}

function Waiting({ farEnd: { state, work } }: { farEnd: FarEnd }) {
  if (state !== 'failing' || work.work_queue === '') return null;
  const subject = work.subject === '' ? '' : `&subject=${encodeURIComponent(work.subject)}`;
  return (
    <Link href={`/work?state=waiting&work_queue=${encodeURIComponent(work.work_queue)}${subject}`}>
      {t('farEnd.work')}
    </Link>
  );
}
