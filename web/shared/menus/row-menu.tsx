/** The menu of a row: a button at its end, which a right click or a long press on the row opens too. */
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon';
import { MenuButton, type MenuButtonProps, type MenuEntries } from './menu-button';
import { rowPress } from './row-press';
import classes from './row-menu.module.css';

interface RowMenuProps {
  readonly label: string;
  readonly entries: () => MenuEntries;
}

/** Without hooks, because the first paint uses it too. */
export const rowMenuButton = (label: string): MenuButtonProps['button'] => (
  <button type="button" className={classes.button} aria-label={label} title={label} data-row-menu>
    <Icon name="more" size={16} />
  </button>
);

export const RowMenu = ({ label, entries }: RowMenuProps) => (
  <MenuButton position="bottom-end" width={270} entries={entries} button={rowMenuButton(label)} />
);

/** A row with a menu at its end. */
export const MenuRow = ({ menu, children }: { menu: ReactNode; children: ReactNode }) => (
  <div className={classes.row} {...rowPress}>
    {children}
    {menu}
  </div>
);

/** For rows that are laid out elsewhere. */
export const pressedRow = classes.pressed;
