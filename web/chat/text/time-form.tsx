/** Asks for a time, which everybody will see in their own time zone. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { localTime, withOffset } from './times';
import classes from './format-bar.module.css';

const HOUR_MS = 3_600_000;

export function TimeForm({ onPick }: { onPick: (time: string) => void }) {
  const [text, setText] = useState(() => localTime(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS)));
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') onPick(withOffset(new Date(text)));
      }}
    >
      <label>
        {t('format.time')}
        <input
          type="datetime-local"
          data-autofocus
          required
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" size="compact-md">
        {t('format.insert')}
      </Button>
    </form>
  );
}
