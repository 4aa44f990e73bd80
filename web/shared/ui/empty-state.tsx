/** Says that there is nothing here, with a drawing and what to do next. */
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** Strokes in a 120×88 box; the second path has the accent. */
const DRAWINGS = {
  /** A tray with nothing left in it. */
  done: ['M20 50l14-28h52l14 28v22H20zM20 50h24l6 10h20l6-10h24', 'M46 30l10 10 20-22'],
  /** Two speech bubbles. */
  quiet: ['M18 16h54v32H40L28 60V48H18z', 'M82 32h20v32h-8v12L82 64H56v-8'],
  /** A signpost. */
  lost: ['M60 10v70M46 80h28', 'M60 18h32l10 9-10 9H60zM60 42H30l-10 9 10 9h30z'],
  /** A party of two at a line. */
  welcome: ['M12 30c30 20 66 20 96 0M28 40l8 20 8-14M76 46l8 14 8-20', 'M54 46l6 22 6-22'],
} as const;

export type DrawingName = keyof typeof DRAWINGS;

interface EmptyStateProps {
  readonly drawing: DrawingName;
  readonly title: string;
  readonly text?: string;
  /** Whether the title is that of the page. */
  readonly isPage?: boolean;
  /** One action. */
  readonly children?: ReactNode;
}

export function EmptyState({ drawing, title, text, isPage = false, children }: EmptyStateProps) {
  const [line, accent] = DRAWINGS[drawing];
  return (
    <div className={classes.empty}>
      <svg
        width={120}
        height={88}
        viewBox="0 0 120 88"
        fill="none"
        strokeWidth={3}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path className={classes.line} d={line} />
        <path className={classes.accent} d={accent} />
      </svg>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

export const actionClass = classes.action;
