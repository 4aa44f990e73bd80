/** A framed remark in a page. */
import type { ReactNode } from 'react';
import classes from './note.module.css';

export const Note = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>;
