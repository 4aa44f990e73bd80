/** The actual or expected result of every line, failures first. */
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Pager } from '../forms/pager';
import { lineOf, wordsInFile, type FileNames } from './in-file';
import table from '../forms/table.module.css';

export interface RowOutcome {
  readonly row: number;
  readonly number: number | null;
  readonly action: 'create' | 'update' | null;
  readonly status: 'ok' | 'failed';
  readonly detail: string;
  readonly warnings: readonly string[];
}

const PAGE = 50;

export function Outcomes({ rows, file }: { rows: readonly RowOutcome[]; file: FileNames }) {
  const [page, setPage] = useState(1);
  const sorted = [...rows].sort(
    (one, other) => Number(other.status === 'failed') - Number(one.status === 'failed') || one.row - other.row,
  );
  const shown = sorted.slice((page - 1) * PAGE, page * PAGE);
  return (
    <>
      <div className={table.wrap} tabIndex={0} role="region" aria-label={t('portal.outcomes')}>
        <table className={table.table}>
          <thead>
            <tr>
              <th>{t('portal.line')}</th>
              <th>{t('portal.number')}</th>
              <th>{t('portal.action')}</th>
              <th>{t('portal.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, number, action, status, detail, warnings }) => (
              <tr key={row}>
                <td>{lineOf(file, row)}</td>
                <td>{number ?? ''}</td>
                <td>{action === null ? '' : t(`portal.bulk.${action}`)}</td>
                <td>
                  <span className={table.state} data-tone={status === 'ok' ? 'good' : 'bad'}>
                    {t(`portal.outcome.${status}`)}
                  </span>
                  {[detail, ...warnings]
                    .filter((words) => words !== '')
                    .map((words) => (
                      <small key={words}>{wordsInFile(file, words)}</small>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} size={PAGE} total={rows.length} onPage={setPage} />
    </>
  );
}
