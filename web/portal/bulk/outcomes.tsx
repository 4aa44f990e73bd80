/** The actual or expected result of every line, failures first. */
import { useState } from 'react';
import { Badge, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { Pager } from '../../shared/tables/pager';
import { lineOf, wordsInFile, type FileNames } from './in-file';

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
      <DataTable
        label={t('portal.outcomes')}
        heads={[t('portal.line'), t('portal.number'), t('portal.action'), t('portal.outcome')]}
      >
        {shown.map(({ row, number, action, status, detail, warnings }) => (
          <tr key={row}>
            <td>{lineOf(file, row)}</td>
            <td>{number ?? ''}</td>
            <td>{action === null ? '' : t(`portal.bulk.${action}`)}</td>
            <td>
              <Badge tone={status === 'ok' ? 'good' : 'bad'}>{t(`portal.outcome.${status}`)}</Badge>
              {[detail, ...warnings]
                .filter((words) => words !== '')
                .map((words) => (
                  <small key={words}>{wordsInFile(file, words)}</small>
                ))}
            </td>
          </tr>
        ))}
      </DataTable>
      <Pager page={page} size={PAGE} total={rows.length} onPage={setPage} />
    </>
  );
}
