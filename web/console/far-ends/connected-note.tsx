/** After a far end was connected or changed: what its other side has to be told, and a test. */
import { Button } from '@mantine/core';
import { Secret } from '../../shared/forms/parts';
import { t } from '../../shared/texts/texts';
import { TestForm } from './test-form';
import type { Connected, FarEndForm } from './wire';
import forms from '../../shared/forms/form.module.css';

interface ConnectedNoteProps {
  readonly connected: Connected;
  readonly form: FarEndForm;
  readonly onClose: () => void;
  readonly after: () => void;
}

export function ConnectedNote({ connected, form, onClose, after }: ConnectedNoteProps) {
  const { webhook_url: webhook } = connected.shown;
  return (
    <div className={forms.form}>
      <p role="status">{t('farEnd.connected')}</p>
      {webhook !== undefined && <Secret label={t('farEnd.webhookUrl')} text={webhook} />}
      <TestForm of={connected} fields={form.test_fields} after={after} />
      <div className={forms.actions}>
        <Button variant="default" onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    </div>
  );
}
