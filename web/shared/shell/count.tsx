import { t } from '../texts/texts';
import classes from './nav.module.css';

/** The unread count of an entry. */
export function Count({ count, isQuiet = false }: { count: number; isQuiet?: boolean }) {
  if (count === 0) return null;
  const label = isQuiet ? String(count) : t('side.unread', { count });
  return (
    <span className={classes.count} data-quiet={isQuiet || undefined} aria-label={label} role="img">
      {count > 999 ? '999+' : count}
    </span>
  );
}
