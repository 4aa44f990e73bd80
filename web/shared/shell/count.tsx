import { t } from '../texts/texts';
import classes from './nav.module.css';

interface CountProps {
  readonly count: number;
  /** Grey, for what concerns nobody in particular. */
  readonly isQuiet?: boolean;
  /** Says what is counted, if not unread messages. */
  readonly label?: string;
}

/** The unread count of an entry. */
export function Count({ count, isQuiet = false, label = t('side.unread', { count }) }: CountProps) {
  if (count === 0) return null;
  return (
    <span className={classes.count} data-quiet={isQuiet || undefined} aria-label={label} role="img">
      {count > 999 ? '999+' : count}
    </span>
  );
}
