/** The frame of all pages: a side bar, which is a drawer on a narrow screen, and what is shown beside it. */
import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { t } from '../texts/texts';
import { toggleSide, useSide } from './side';
import classes from './shell.module.css';

interface ShellProps {
  readonly side: ReactNode;
  /** A panel on the right, and dialogs. */
  readonly around?: ReactNode;
  /** Contains `main`, with the id of that name. */
  readonly children: ReactNode;
}

export function Shell({ side, around, children }: ShellProps) {
  const isOpen = useSide((state) => state.isOpen);
  const [location] = useLocation();
  useEffect(() => toggleSide(false), [location]);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      {side}
      {isOpen && (
        <button
          type="button"
          className={classes.shade}
          aria-label={t('action.close')}
          onClick={() => toggleSide(false)}
        />
      )}
      <div className={classes.middle}>{children}</div>
      {around}
    </div>
  );
}
