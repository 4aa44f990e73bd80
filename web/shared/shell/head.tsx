/** The head of what is shown beside the side bar. */
import type { ReactNode } from 'react';
import { t } from '../texts/texts';
import { IconButton } from '../ui/icon-button';
import { toggleSide } from './side';
import classes from './shell.module.css';

/** Opens the side bar where it is a drawer. */
export const SideButton = () => (
  <span className={classes.phoneOnly}>
    <IconButton icon="menu" label={t('side.open')} onClick={() => toggleSide(true)} />
  </span>
);

export const Head = ({ children }: { children: ReactNode }) => (
  <header className={classes.head}>
    <SideButton />
    {children}
  </header>
);
