/** Opens the view that is shown at the first message of a day. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell } from '../../shared/ui/toasts';
import { placeAt } from '../data/narrow';
import { jumpToDate } from '../reading/jump-to-date';
import { closeDialog } from './dialogs';
import classes from './dialog-form.module.css';

export function DateDialog() {
  const [day, setDay] = useState('');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    closeDialog();
    const narrow = placeAt(location.pathname)?.narrow ?? { kind: 'all' };
    // The day begins at midnight where the reader is.
    tell(jumpToDate(narrow, new Date(`${day}T00:00`)));
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('dateJump.title')}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          type="date"
          label={t('dateJump.day')}
          value={day}
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={closeDialog}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" disabled={day === ''}>
            {t('dateJump.go')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
