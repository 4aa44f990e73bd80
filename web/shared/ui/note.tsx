/** A framed remark in a page. */
import type { HTMLAttributes } from 'react';
import classes from './note.module.css';

interface NoteProps extends HTMLAttributes<HTMLDivElement> {
  readonly isBad?: boolean;
}

export const Note = ({ isBad = false, ...rest }: NoteProps) => (
  <div {...rest} className={classes.note} data-bad={isBad || undefined} />
);
