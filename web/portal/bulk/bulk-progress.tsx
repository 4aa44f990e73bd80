/** Progress of a bulk order. The user may leave the page and return to it. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { FormError } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { writeCsv } from './csv';
import { lineOf, NO_FILE, wordsInFile, type FileNames } from './in-file';
import { keptNames } from './kept-names';
import { Outcomes, type RowOutcome } from './outcomes';
import classes from '../../shared/forms/form.module.css';

interface BulkOrder {
  readonly id: string;
  readonly state: 'running' | 'finished';
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly rows: readonly RowOutcome[];
}

const LOOK_MS = 1500;

export function BulkProgress({ id }: { id: string }) {
  const { value: order, error, reload } = useLoaded(id, () => api.get<BulkOrder>(`/bulks/${id}`));
  const file = useLoaded(id, () => keptNames(id)).value ?? NO_FILE;
  const isOver = order?.state === 'finished';
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => document.hidden || void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isOver, reload]);
  return (
    <>
      <p>
        <Link href="/bulk">{t('portal.otherFile')}</Link>
      </p>
      <FormError text={error} />
      {order && (
        <>
          <label>
            {t(isOver ? 'portal.bulkDone' : 'portal.bulkRunning', {
              done: order.done,
              total: order.total,
              failed: order.failed,
            })}
            <progress className={classes.progress} value={order.done} max={order.total} />
          </label>
          {isOver ? (
            <Button variant="default" mb="sm" onClick={() => download(order, file)}>
              {t('portal.downloadResult')}
            </Button>
          ) : (
            <p>{t('portal.mayLeave')}</p>
          )}
          <Outcomes rows={order.rows} file={file} />
        </>
      )}
    </>
  );
}

function download({ id, rows }: BulkOrder, file: FileNames): void {
  const wordsOf = (sentences: readonly string[]): string => sentences.map((each) => wordsInFile(file, each)).join('; ');
  const lines = rows.map(({ row, number, action, status, detail, warnings }) =>
    [lineOf(file, row), number ?? '', action ?? '', status, wordsOf([detail]), wordsOf(warnings)].map(String),
  );
  const text = writeCsv([['line', 'extension', 'action', 'status', 'detail', 'warnings'], ...lines]);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv' }));
  link.download = `extensions-${id}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
