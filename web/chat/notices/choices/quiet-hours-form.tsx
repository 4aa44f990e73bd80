/** The reader's quiet hours. Each change counts at once. */
import { Checkbox, Switch, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Section } from '../../../shared/forms/section';
import { api } from '../../../shared/http/request';
import { t, useLanguage } from '../../../shared/texts/texts';
import { tell } from '../../../shared/ui/toasts';
import { useChat, useSetting } from '../../data/store';
import classes from './choices.module.css';

const change = (name: string, value: boolean | string): void =>
  tell(api.patch('/settings/notifications', { [name]: value }));

export function QuietHoursForm() {
  const isOn = useSetting('enable_quiet_hours', false);
  const isPersonal = useSetting('quiet_hours_allow_personal', false);
  const zone = useChat((state) => state.people.get(state.ownId)?.timezone ?? '');
  return (
    <Section title={t('quiet.title')} hint={t('quiet.hint')}>
      <div className={classes.lines}>
        <Switch
          label={t('quiet.on')}
          checked={isOn}
          onChange={(event) => change('enable_quiet_hours', event.currentTarget.checked)}
        />
        {isOn && (
          <>
            <div className={classes.line}>
              <TimeField name="quiet_hours_from" label={t('quiet.from')} />
              <TimeField name="quiet_hours_to" label={t('quiet.to')} />
            </div>
            <Days />
            <Switch
              label={t('quiet.personal')}
              checked={isPersonal}
              onChange={(event) => change('quiet_hours_allow_personal', event.currentTarget.checked)}
            />
            {zone !== '' && <small>{t('quiet.zone', { zone })}</small>}
          </>
        )}
      </div>
    </Section>
  );
}

/** Stored when one leaves the field: a browser tells of each digit. */
function TimeField({ name, label }: { name: string; label: string }) {
  const stored = useSetting(name, '');
  const [value, setValue] = useState(stored);
  useEffect(() => setValue(stored), [stored]);
  const keep = (): void => {
    if (value === '') setValue(stored);
    else if (value !== stored) change(name, value);
  };
  return (
    <TextInput
      type="time"
      label={label}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={keep}
    />
  );
}

const ALL_DAYS = ['1', '2', '3', '4', '5', '6', '7'];
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

function Days() {
  const days = useSetting('quiet_hours_days', '1234567');
  const { locale } = useLanguage();
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const toggle = (day: string): void => {
    const next = ALL_DAYS.filter((each) => days.includes(each) !== (each === day));
    change('quiet_hours_days', next.join(''));
  };
  return (
    <fieldset className={classes.days}>
      <legend>{t('quiet.days')}</legend>
      <div>
        {ALL_DAYS.map((day, index) => (
          <Checkbox
            key={day}
            label={format.format(MONDAY_MS + index * DAY_MS)}
            checked={days.includes(day)}
            // Quiet hours without a day are none: there is a switch for that.
            disabled={days === day}
            onChange={() => toggle(day)}
          />
        ))}
      </div>
    </fieldset>
  );
}
