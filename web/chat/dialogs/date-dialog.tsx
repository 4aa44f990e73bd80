/** Opens the view that is shown at the first message of a day. */
import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { tell, toast } from '../../shared/ui/toasts';
import { firstSince } from '../data/ask';
import { loadNewest } from '../data/load';
import { pathOf, placeAt } from '../data/narrow';
import { closeDialog } from './dialogs';
import classes from './dialog-form.module.css';

export function DateDialog() {
  const [day, setDay] = useState('');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    closeDialog();
    tell(goTo(day));
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

async function goTo(day: string): Promise<void> {
  const narrow = placeAt(location.pathname)?.narrow ?? { kind: 'all' };
  // The day begins at midnight where the reader is.
  const id = await firstSince(narrow, new Date(`${day}T00:00`));
  if (id !== undefined) return navigate(pathOf(narrow, id));
  toast(t('dateJump.none'));
  navigate(pathOf(narrow));
  await loadNewest(narrow);
}
