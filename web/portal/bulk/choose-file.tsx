/** Picks a CSV file. */
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { FormError } from '../../shared/forms/section';
import classes from '../../shared/forms/form.module.css';

/** A thousand lines of FreePBX's own export are smaller. */
const MAX_BYTES = 5 * 1024 * 1024;

export function ChooseFile({ onFile }: { onFile: (bytes: Uint8Array) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const take = async (file: File): Promise<void> => {
    setName(file.name);
    if (file.size > MAX_BYTES) return setError(t('portal.fileTooLarge'));
    setError('');
    return onFile(new Uint8Array(await file.arrayBuffer()));
  };
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={() => picker.current?.click()}>
        {t('portal.chooseFile')}
      </Button>
      <span>{name}</span>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,text/csv,text/plain"
        aria-label={t('portal.chooseFile')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) void take(file);
        }}
      />
      <FormError text={error} />
    </div>
  );
}
