/** A secret that is shown once, and a question before a deletion. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../http/message-of';
import { t } from '../texts/texts';
import { copyText } from '../ui/copy-text';
import { Dialog } from '../ui/dialog';
import { toast } from '../ui/toasts';
import { FormError } from './section';
import classes from './form.module.css';

/** A value that is shown once, with a copy button. */
export function Secret({ label, text }: { label: string; text: string }) {
  const copy = async (): Promise<void> => {
    await copyText(text);
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
