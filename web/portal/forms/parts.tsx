/** Small components of forms and pages. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import classes from './form.module.css';

export const FormError = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p role="alert" className={classes.error}>
      {text}
    </p>
  );

/** A section of a page with a heading. */
export function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      {title !== undefined && <h2>{title}</h2>}
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </section>
  );
}

/** A value that is shown once, with a copy button. */
export function Secret({ label, text }: { label: string; text: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    toast(t('portal.copied'));
  };
  return (
    <div>
      <b>{label}</b>
      <code className={classes.code}>{text}</code>
      <Button size="compact-sm" variant="default" mt={4} onClick={() => void copy()}>
        {t('portal.copy')}
      </Button>
    </div>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What the deletion entails. */
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Confirms a deletion. Errors are shown in the dialog. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(messageOf(caught));
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={title}>
      <div className={classes.form}>
        {children}
        <FormError text={error} />
        <div className={classes.actions}>
          <Button color="red" loading={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
