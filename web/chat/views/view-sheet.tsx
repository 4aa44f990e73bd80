/** A page with a short text in the middle. */
import type { ReactNode } from 'react';
import classes from './view.module.css';

export function ViewSheet({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <main className={classes.sheet} id="main">
      <h1>{title}</h1>
      {text !== undefined && <p>{text}</p>}
      {children}
    </main>
  );
}
