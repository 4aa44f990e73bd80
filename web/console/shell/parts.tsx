/** Small components that all console pages share. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { Actions, Badge, DataTable, type Tone } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Note } from '../../shared/ui/note';
import { toast } from '../../shared/ui/toasts';
import { useMayChange } from '../session/session';
import forms from '../../shared/forms/form.module.css';

/** Warns that the data may be outdated, because the last request failed. */
export const Trouble = ({ error }: { error: unknown }) =>
  error !== undefined && (
    <Note role="alert" isBad>
      {t('ops.stale', { reason: messageOf(error) })}
    </Note>
  );

/** A table whose rows end with buttons, if the operator may change anything. */
export function ActionTable(props: { label: string; heads: readonly string[]; children: ReactNode }) {
  const mayChange = useMayChange();
  return <DataTable {...props} heads={mayChange ? [...props.heads, t('ops.actions')] : props.heads} />;
}

/** The last cell of such a row. */
export const RowActions = ({ children }: { children: ReactNode }) =>
  useMayChange() && (
    <td>
      <Actions>{children}</Actions>
    </td>
  );

export const Empty = ({ children }: { children: ReactNode }) => <p className={forms.dim}>{children}</p>;

const TONES: Readonly<Record<string, Tone>> = {
  dead: 'bad',
  fail: 'bad',
  failing: 'bad',
  done: 'good',
  ok: 'good',
  warn: 'warn',
};

export const State = ({ state, children }: { state: string; children: ReactNode }) => (
  <Badge tone={TONES[state] ?? ''}>{children}</Badge>
);

/** Explains to read-only operators why there are no buttons. */
export function LookOnly() {
  const mayChange = useMayChange();
  return mayChange ? null : (
    <p role="note" className={forms.dim}>
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
          <div className={forms.form}>
            <p>{question}</p>
            <div className={forms.actions}>
              <Button onClick={() => void act()}>{label}</Button>
              <Button variant="default" onClick={() => setAsking(false)}>
                {t('action.cancel')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
