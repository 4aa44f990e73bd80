/** Navigates the pages of a list. */
import { Button } from '@mantine/core';
import { t } from '../texts/texts';
import classes from './table.module.css';

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, size, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / size));
  const from = total === 0 ? 0 : (page - 1) * size + 1;
  return (
    <nav className={classes.pager} aria-label={t('portal.pages')}>
      <Button size="compact-sm" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('portal.previous')}
      </Button>
      <span aria-live="polite">
        {t('portal.range', { from, to: Math.min(page * size, total), total: total.toLocaleString() })}
      </span>
      <Button size="compact-sm" variant="default" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('portal.next')}
      </Button>
    </nav>
  );
}
