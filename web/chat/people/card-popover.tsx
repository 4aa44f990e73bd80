/** The frame of a card of a person or a group: beside what was clicked, as wide as a telephone allows. */
import { Popover } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { closeDialog } from '../dialogs/dialogs';
import classes from './card-popover.module.css';

/** As in the style sheets: below it there is no room beside a face. */
const NARROW = 760;
const WIDTH = 320;

/** A place for the popover: where the face is, or the middle of the window. */
function placeOf(at: Element | undefined): CSSProperties {
  const box = at?.isConnected ? at.getBoundingClientRect() : undefined;
  if (!box || box.width === 0) return { left: innerWidth / 2, top: innerHeight / 3, width: 0, height: 0 };
  return { left: box.left, top: box.top, width: Math.min(box.width, 240), height: Math.min(box.height, 60) };
}

interface CardPopoverProps {
  readonly at: Element | undefined;
  readonly label: string;
  readonly children: ReactNode;
}

export const CardPopover = ({ at, label, children }: CardPopoverProps) => (
  <Popover
    opened
    onChange={closeDialog}
    position={innerWidth <= NARROW ? 'bottom-start' : 'right-start'}
    width={Math.min(WIDTH, innerWidth - 16)}
    trapFocus
    returnFocus
    withinPortal
    // The place is no button that opens it.
    withRoles={false}
    shadow="md"
  >
    <Popover.Target>
      <span className={classes.place} style={placeOf(at)} />
    </Popover.Target>
    <Popover.Dropdown role="dialog" aria-label={label}>
      {children}
    </Popover.Dropdown>
  </Popover>
);
