/** What the virtual list is given to draw: elements that stay the same as long as their row does. */
import type { ReactElement } from 'react';
import type { CustomItemComponentProps } from 'virtua';
import { MessageRow, type RowProps } from './message-row';
import classes from '../list/message-list.module.css';

/** More than are mounted at once. */
const MAX_KEPT = 300;

export type RowElements = (row: RowProps) => ReactElement;

/** The list is drawn at every step of a scroll; it passes over rows whose element is the one from before. */
export function rowElements(): RowElements {
  const made = new Map<number, ReactElement<RowProps>>();
  return (row) => {
    const known = made.get(row.id);
    if (known && isSame(known.props, row)) return known;
    if (made.size >= MAX_KEPT) made.delete(made.keys().next().value!);
    const element = <MessageRow key={row.id} {...row} />;
    made.delete(row.id);
    made.set(row.id, element);
    return element;
  };
}

const isSame = (a: RowProps, b: RowProps): boolean =>
  a.previous === b.previous && a.narrow === b.narrow && a.isFirstUnread === b.isFirstUnread;

/**
 * The place of a row. What is the same for all comes from the stylesheet. It is not hidden until it is measured, which is
 * before the browser paints it: to hide and to show it is to compute the style of everything in it twice.
 */
export function RowPlace({ style: { position, top }, children, ref }: CustomItemComponentProps) {
  return (
    <div ref={ref} className={classes.place} style={{ position, top }}>
      {children}
    </div>
  );
}
