/** Tables of all pages. They scroll sideways on narrow screens. */
import type { ReactNode } from 'react';
import classes from './table.module.css';

/** The head of a column that rows can be sorted by. */
interface SortHead {
  readonly text: string;
  readonly isSorted: boolean;
  readonly sort: () => void;
}

interface DataTableProps {
  readonly label: string;
  readonly heads: readonly (string | SortHead)[];
  readonly isLoading?: boolean;
  /** Rows. */
  readonly children: ReactNode;
}

export function DataTable({ label, heads, isLoading = false, children }: DataTableProps) {
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-busy={isLoading}>
        <thead>
          <tr>
            {heads.map((head) =>
              typeof head === 'string' ? (
                <th key={head} scope="col">
                  {head}
                </th>
              ) : (
                <SortedColumn key={head.text} {...head} />
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const SortedColumn = ({ text, isSorted, sort }: SortHead) => (
  <th scope="col" aria-sort={isSorted ? 'ascending' : 'none'}>
    <button type="button" onClick={sort}>
      {text}
      {isSorted ? ' ↑' : ''}
    </button>
  </th>
);

/** The buttons of a row. */
export const Actions = ({ children }: { children: ReactNode }) => <div className={classes.actions}>{children}</div>;

export type Tone = 'good' | 'bad' | '';

/** The state of a row. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.state} data-tone={tone}>
    {children}
  </span>
);
