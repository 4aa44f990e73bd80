/** Tables of all pages. On narrow screens they scroll sideways; rows with buttons become cards. */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
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
  /** True: its owner lays it out on narrow screens. */
  readonly isOwnNarrow?: boolean;
  /** Rows. */
  readonly children: ReactNode;
}

export function DataTable({ label, heads, isLoading = false, isOwnNarrow, children }: DataTableProps) {
  const table = useLabelledCells(heads);
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
      <table ref={table} className={classes.table} aria-busy={isLoading} data-own-narrow={isOwnNarrow}>
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

/** In a card, each cell says which column it is of. */
function useLabelledCells(heads: DataTableProps['heads']) {
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    for (const row of table.current?.tBodies[0]?.rows ?? []) {
      for (const [at, cell] of [...row.cells].entries()) {
        const head = heads[at];
        cell.dataset['label'] = (typeof head === 'string' ? head : head?.text) ?? '';
      }
    }
  });
  return table;
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

export type Tone = 'good' | 'warn' | 'bad' | '';

/** The state of a row. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.state} data-tone={tone}>
    {children}
  </span>
);
