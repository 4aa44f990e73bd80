import type { ReactNode } from 'react';
import classes from './form.module.css';

/** A section of a page, with a heading. */
export function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      {title !== undefined && <h2>{title}</h2>}
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </section>
  );
}

export const FormError = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p role="alert" className={classes.error}>
      {text}
    </p>
  );
