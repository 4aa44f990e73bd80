/** The menu of a row: a button at its end, which a right click or a long press on the row opens too. */
import type { MouseEvent, ReactNode } from 'react';
import { Icon } from './icon';
import { MenuButton, type MenuEntries } from './menu-button';
import classes from './row-menu.module.css';

interface RowMenuProps {
  readonly label: string;
  readonly entries: () => MenuEntries;
}

export function RowMenu({ label, entries }: RowMenuProps) {
  return (
    <MenuButton
      position="bottom-end"
      width={270}
      entries={entries}
      button={
        <button type="button" className={classes.button} aria-label={label} title={label} data-row-menu>
          <Icon name="more" size={16} />
        </button>
      }
    />
  );
}

/** A row with a menu at its end. */
export function MenuRow({ menu, children }: { menu: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.row} onContextMenu={openRowMenu}>
      {children}
      {menu}
    </div>
  );
}

function openRowMenu(event: MouseEvent<HTMLElement>): void {
  const button = event.currentTarget.querySelector<HTMLElement>('[data-row-menu]');
  if (!button) return;
  event.preventDefault();
  button.click();
}
