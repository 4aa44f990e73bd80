/** Small things that all pages of the console are made of. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { useMayChange } from '../session/session';
import classes from './parts.module.css';

/** What is shown may be old: the newest could not be had. */
export function Trouble({ error }: { error: unknown }) {
  if (error === undefined) return null;
  return (
    <p role="alert" className={classes.trouble}>
      {t('ops.stale', { reason: messageOf(error) })}
    </p>
  );
}

/** A table that scrolls by itself where the screen is narrow. */
export function DataTable({
  label,
  heads,
  children,
  hasActions = false,
}: {
  label: string;
  heads: readonly string[];
  children: ReactNode;
  /** Whether each row ends with buttons that change something. */
  hasActions?: boolean;
}) {
  const mayChange = useMayChange();
  const shown = hasActions && mayChange ? [...heads, t('ops.actions')] : heads;
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {shown.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** The cell of a row's buttons, where there are any. */
export const Actions = ({ children }: { children: ReactNode }) =>
  useMayChange() && (
    <td>
      <span className={`${classes.line} ${classes.actions}`}>{children}</span>
    </td>
  );

export const Empty = ({ children }: { children: ReactNode }) => <p className={classes.dim}>{children}</p>;

export const State = ({ state, children }: { state: string; children: ReactNode }) => (
  <span className={classes.state} data-state={state}>
    {children}
  </span>
);

/** Why those who only look have no buttons. */
export function LookOnly() {
  const mayChange = useMayChange();
  return mayChange ? null : (
    <p role="note" className={classes.dim}>
      {t('ops.lookOnly')}
    </p>
  );
}

interface ActionProps {
  readonly label: string;
  /** What is being done it to, for those who do not see the row. */
  readonly of: string;
  readonly run: () => Promise<unknown>;
  readonly done: string | ((answer: unknown) => string);
  /** Asked before it is done. */
  readonly question?: string;
  readonly after?: () => void;
}

/** A button that changes something. Operators who only look do not have it. */
export function Action({ label, of, run, done, question, after }: ActionProps) {
  const mayChange = useMayChange();
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  if (!mayChange) return null;
  const act = async (): Promise<void> => {
    setAsking(false);
    setBusy(true);
    try {
      const answer = await run();
      toast(typeof done === 'string' ? done : done(answer));
      after?.();
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={isBusy}
        aria-label={`${label}: ${of}`}
        onClick={() => (question === undefined ? void act() : setAsking(true))}
      >
        {label}
      </Button>
      {question !== undefined && (
        <Dialog opened={isAsking} onClose={() => setAsking(false)} title={label}>
          <p className={classes.question}>{question}</p>
          <div className={classes.line}>
            <Button onClick={() => void act()}>{label}</Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('action.cancel')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
