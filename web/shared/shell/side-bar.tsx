/** The side bar: a name, entries, and the signed-in user at the foot. */
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../texts/texts';
import { IconButton } from '../ui/icon-button';
import { Mark } from '../ui/mark';
import { toggleSide, useSide } from './side';
import classes from './shell.module.css';

interface SideBarProps {
  readonly name: string;
  /** In front of the name, in place of the product's mark. */
  readonly mark?: ReactNode;
  readonly label: string;
  /** Beside the name. */
  readonly tools?: ReactNode;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

export function SideBar({ name, mark = <Mark size={24} />, label, tools, foot, children }: SideBarProps) {
  const isOpen = useSide((state) => state.isOpen);
  const bar = useRef<HTMLElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    if (!isOpen || bar.current?.contains(opener)) return undefined;
    // Does nothing where the side bar is no drawer, because the button is not shown there.
    close.current?.focus();
    return () => {
      if (document.activeElement === document.body || bar.current?.contains(document.activeElement))
        (opener as HTMLElement | null)?.focus();
    };
  }, [isOpen]);
  const onKey = (event: KeyboardEvent): void => {
    // Not that of a menu, which React hands on although it lies elsewhere.
    if (!isOpen || event.key !== 'Escape' || !bar.current?.contains(event.target as Node)) return;
    // It closes the drawer only.
    event.preventDefault();
    toggleSide(false);
  };
  return (
    <nav ref={bar} className={classes.side} data-open={isOpen || undefined} aria-label={label} onKeyDown={onKey}>
      <div className={classes.sideHead}>
        {mark}
        <span className={classes.name}>{name}</span>
        {tools}
        <span className={classes.phoneOnly}>
          <IconButton ref={close} icon="close" label={t('side.close')} onClick={() => toggleSide(false)} />
        </span>
      </div>
      <div className={classes.scroll}>{children}</div>
      <div className={classes.foot}>{foot}</div>
    </nav>
  );
}
