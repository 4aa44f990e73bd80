/** A row of the table of notifications: what it is about, how much of it, and a box for each way. */
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { t, type TextKey } from '../../../shared/texts/texts';
import { tell } from '../../../shared/ui/toasts';
import { WAYS, type Way } from '../levels';
import classes from './notice-table.module.css';

export const WAY_TEXTS: Readonly<Record<Way, TextKey>> = {
  desktop: 'notices.desktop',
  audible: 'notices.audible',
  push: 'notices.push',
  email: 'notices.email',
};

interface NoticeRowProps {
  readonly name: string;
  readonly ways: Readonly<Record<Way, boolean>>;
  /** Absent where the ways follow from something else. */
  readonly set?: ((way: Way, isOn: boolean) => Promise<unknown>) | undefined;
  readonly isHead?: boolean;
  /** How much. */
  readonly children: ReactNode;
}

export const NoticeRow = ({ name, ways, set, isHead = false, children }: NoticeRowProps) => (
  <tr className={classes.row} data-head={isHead || undefined}>
    <th scope="row">{name}</th>
    <td className={classes.level}>{children}</td>
    {WAYS.map((way) => (
      <td key={way} className={classes.way}>
        <label>
          <Checkbox
            size="xs"
            aria-label={`${t(WAY_TEXTS[way])}: ${name}`}
            checked={ways[way]}
            disabled={!set}
            onChange={(event) => set && tell(set(way, event.currentTarget.checked))}
          />
          <span className={classes.wayName} aria-hidden="true">
            {t(WAY_TEXTS[way])}
          </span>
        </label>
      </td>
    ))}
  </tr>
);
