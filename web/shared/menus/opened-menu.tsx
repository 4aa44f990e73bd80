/** A menu that was opened at least once. */
import { Menu } from '@mantine/core';
import { cloneElement, useLayoutEffect, useRef, useState, type ComponentProps } from 'react';
import { Icon } from '../ui/icon';
import classes from './opened-menu.module.css';
import type { MenuButtonProps, MenuEntry } from './menu-button';

/** A screen may be lower than a menu, which then scrolls. */
const INSIDE = { shift: true, flip: true, size: { padding: 8 } } as const;

export function OpenedMenu({ button, entries, position, width, onToggle }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(true);
  const target = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The button that was pressed is gone. Keys that nothing has the focus for would close the menu.
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, []);
  const toggle = (next: boolean): void => {
    setOpen(next);
    // What a menu entry opens takes the focus from there, and gives it back to it.
    if (!next) target.current?.focus();
    onToggle?.(next);
  };
  return (
    <Menu
      opened={isOpen}
      onChange={toggle}
      position={position}
      width={width}
      shadow="md"
      middlewares={INSIDE}
      // Mantine would do it by a timer, which may come after a dialog has taken the focus.
      returnFocus={false}
    >
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {(typeof entries === 'function' ? entries() : entries).map((entry, index) =>
          // The entries of a menu never change order.
          // oxlint-disable-next-line no-array-index-key
          entry === 'line' ? <Menu.Divider key={index} /> : <Item key={entry.text} entry={entry} />,
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Mantine gives every entry the role of one that does something. */
const radio = (isChosen: boolean) => (props: ComponentProps<'button'>) => (
  <button {...props} type="button" role="menuitemradio" aria-checked={isChosen} />
);

function Item({ entry: { icon, text, run, href, isChosen } }: { entry: MenuEntry }) {
  const section = <Icon name={icon} size={16} />;
  if (href === undefined) {
    return (
      <Menu.Item
        leftSection={section}
        onClick={run}
        {...(isChosen === undefined ? {} : { renderRoot: radio(isChosen) })}
        rightSection={isChosen === true ? <Icon name="check" size={16} /> : undefined}
      >
        {text}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item leftSection={section} component="a" href={href}>
      {text}
    </Menu.Item>
  );
}
