/** Asks for a time to come: one of the usual ones, or any. An error is shown here, and the dialog stays open. */
import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t } from '../../shared/texts/texts';
import { closeDialog } from '../dialogs/dialogs';
import { nextHour, presetsAt } from './presets';
import { clockText, foreignZone, ownZone, shortText } from './time-texts';
import { momentOf, wallTimeAt } from './zoned-time';
import classes from './time-choice.module.css';

interface TimeChoiceProps {
  /** What the button beside the chosen time does. */
  readonly action: string;
  /** In seconds; the next full hour if there is none, or if it is over. */
  readonly first?: number | undefined;
  /** The dialog is closed when it has succeeded. */
  readonly onPick: (at: number) => Promise<unknown>;
}

export function TimeChoice({ action, first = 0, onPick }: TimeChoiceProps) {
  const zone = ownZone();
  // They stay as they are while somebody reads them.
  const [now] = useState(Date.now);
  const [kept] = useState(() => (first * 1000 > now ? wallTimeAt(first * 1000, zone) : ''));
  const [wall, setWall] = useState(() => kept || nextHour(now, zone));
  const { isBusy, error, pick } = usePick(onPick);
  const foreign = foreignZone();
  return (
    <>
      <ul className={classes.presets} aria-label={t('later.presets')}>
        {presetsAt(now, zone).map(({ name, at }, place) => (
          <li key={at}>
            <button
              type="button"
              aria-disabled={isBusy}
              data-autofocus={place === 0 || undefined}
              onClick={() => void pick(at)}
            >
              <span>{t(`later.preset.${name}`, { time: clockText(at) })}</span>
              <small>{shortText(at)}</small>
            </button>
          </li>
        ))}
      </ul>
      <form
        className={classes.chosen}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The field has no seconds, so that what is not changed would be earlier.
          void pick(wall === kept ? first : momentOf(wall, zone) / 1000);
        }}
      >
        <TextInput
          type="datetime-local"
          label={t('later.chosen')}
          description={foreign === '' ? undefined : t('later.zone', { zone: foreign.replaceAll('_', ' ') })}
          value={wall}
          min={wallTimeAt(now, zone)}
          onChange={(event) => setWall(event.currentTarget.value)}
        />
        <Button type="submit" aria-disabled={isBusy} disabled={wall === ''}>
          {action}
        </Button>
      </form>
      {error !== '' && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Buttons stay enabled meanwhile, because one that is disabled loses the focus. */
function usePick(onPick: TimeChoiceProps['onPick']) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const pick = async (at: number): Promise<void> => {
    if (isBusy) return;
    setError('');
    if (!(at * 1000 > Date.now())) return setError(t('later.past'));
    setBusy(true);
    try {
      await onPick(at);
      // It may have been closed meanwhile, and another one opened.
      if (isOpen.current) closeDialog();
    } catch (reason) {
      setError(messageOf(reason));
    }
    setBusy(false);
    return undefined;
  };
  return { isBusy, error, pick };
}
