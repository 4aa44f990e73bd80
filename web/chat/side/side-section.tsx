/** A section of the side bar that can be folded. */
import type { ReactNode } from 'react';
import { Count } from '../../shared/shell/count';
import { Icon } from '../../shared/ui/icon';
import { fold, useFolded } from './folded';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

interface SideSectionProps {
  readonly name: string;
  readonly title: string;
  /** How it is before anybody has folded or opened it. */
  readonly isFoldedFirst?: boolean;
  /** Shows everything meanwhile, such as matches of the filter. */
  readonly isForced: boolean;
  /** Shown while the section is folded. */
  readonly unread: number;
  readonly isQuiet: boolean;
  readonly tools?: ReactNode;
  readonly children: (isFolded: boolean) => ReactNode;
}

export function SideSection(props: SideSectionProps) {
  const { name, title, isFoldedFirst = false, isForced, unread, isQuiet, tools, children } = props;
  const isFolded = useFolded(({ changed }) => changed[name] ?? isFoldedFirst) && !isForced;
  return (
    <section aria-label={title}>
      <div className={classes.heading}>
        <h2>
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={() => !isForced && fold(name, !isFolded, isFoldedFirst)}
          >
            <Icon name="chevron" size={12} />
            {title}
          </button>
        </h2>
        {isFolded && <Count count={unread} isQuiet={isQuiet} />}
        {tools}
      </div>
      <ul className={nav.list}>{children(isFolded)}</ul>
    </section>
  );
}
