/** Small components that all console pages share. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { useMayChange } from '../session/session';
import classes from './parts.module.css';

/** Warns that the data may be outdated, because the last request failed. */
export function Trouble({ error }: { error: unknown }) {
  if (error === undefined) return null;
  return (
    <p role="alert" className={classes.trouble}>
      {t('ops.stale', { reason: messageOf(error) })}
    </p>
  );
}

/** A table that scrolls horizontally on narrow screens. */
export function DataTable({
  label,
  heads,
  children,
  hasActions = false,
}: {
  label: string;
  heads: readonly string[];
  children: ReactNode;
  /** Whether rows end with action buttons. */
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

/** The cell for a row's action buttons, if the operator may change anything. */
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

/** Explains to read-only operators why there are no buttons. */
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
  /** The target of the action, for screen readers. */
  readonly of: string;
  readonly run: () => Promise<unknown>;
  readonly done: string | ((answer: unknown) => string);
  /** Confirmation question. */
  readonly question?: string;
  readonly after?: () => void;
}

/** A button that changes something. Read-only operators do not see it. */
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
