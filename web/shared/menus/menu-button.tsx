/** A button that opens a menu. Mantine's menu is large and mostly stays closed, so it loads with the first press. */
import {
  cloneElement,
  startTransition,
  Suspense,
  useState,
  type HTMLAttributes,
  type ReactElement,
  type RefAttributes,
} from 'react';
import { lazyPart } from '../lazy-part';
import type { IconName } from '../ui/icon';

export interface MenuEntry {
  readonly icon: IconName;
  readonly text: string;
  /** One of several of which one is chosen: whether it is that one. */
  readonly isChosen?: boolean;
  readonly run?: () => void;
  /** A link to another page. */
  readonly href?: string;
}

export type MenuEntries = readonly (MenuEntry | 'line')[];

export interface MenuButtonProps {
  readonly button: ReactElement<HTMLAttributes<HTMLButtonElement> & RefAttributes<HTMLButtonElement>>;
  /** A function is called when the menu is shown. */
  readonly entries: MenuEntries | (() => MenuEntries);
  readonly position: 'top-start' | 'top-end' | 'bottom-end';
  readonly width: number;
  readonly onToggle?: (isOpen: boolean) => void;
}

const OpenedMenu = lazyPart(() => import('./opened-menu'), 'OpenedMenu');

export function MenuButton(props: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const open = (): void => {
    props.onToggle?.(true);
    // The button stays until the menu is loaded.
    startTransition(() => setWanted(true));
  };
  return (
    <Suspense>
      {isWanted ? (
        <OpenedMenu {...props} />
      ) : (
        cloneElement(props.button, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: open })
      )}
    </Suspense>
  );
}
