/** A page beside the side bar: a head with its title, and the content below it. */
import { useEffect, type ReactNode } from 'react';
import { Head } from './head';
import classes from './shell.module.css';

interface PageProps {
  readonly title: string;
  /** Follows the title in the name of the tab. */
  readonly of: string;
  /** Whether the content fills the window and scrolls within. */
  readonly isFilled?: boolean | undefined;
  readonly children: ReactNode;
}

export function Page({ title, of, isFilled = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${of}`;
  }, [title, of]);
  return (
    <main id="main" className={classes.page} tabIndex={-1}>
      <Head>
        <h1>{title}</h1>
      </Head>
      <div className={classes.content} data-filled={isFilled || undefined}>
        {children}
      </div>
    </main>
  );
}
