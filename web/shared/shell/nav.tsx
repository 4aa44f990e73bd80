/** What a side bar shows: entries, and the signed-in user. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from '../ui/icon';
import { Count } from './count';
import { toggleSide } from './side';
import classes from './nav.module.css';
import shell from './shell.module.css';

/** On a narrow screen a navigation may be one line that scrolls. */
const show = (link: HTMLAnchorElement | null): void => link?.scrollIntoView({ block: 'nearest', inline: 'center' });

interface NavEntryProps {
  readonly href: string;
  readonly icon: IconName;
  readonly text: string;
  readonly isCurrent: boolean;
  readonly unread?: number;
}

export function NavEntry({ href, icon, text, isCurrent, unread = 0 }: NavEntryProps) {
  return (
    <li>
      <Link
        href={href}
        className={classes.entry}
        aria-current={isCurrent ? 'page' : undefined}
        ref={isCurrent ? show : undefined}
        // Also where it leads to the same page.
        onClick={() => toggleSide(false)}
      >
        <Icon name={icon} size={16} />
        <span className={classes.label}>{text}</span>
        <Count count={unread} />
      </Link>
    </li>
  );
}

/** The signed-in user, with what they can do. */
export const Owner = ({ name, note, children }: { name: string; note?: string; children: ReactNode }) => (
  <div className={shell.owner}>
    <span className={classes.label}>
      {name}
      {note !== undefined && <small>{note}</small>}
    </span>
    {children}
  </div>
);
