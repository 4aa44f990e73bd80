import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** A section of a settings page. */
export function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      {title !== undefined && <h2>{title}</h2>}
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </section>
  );
}
