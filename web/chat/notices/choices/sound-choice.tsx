/** The sound of notifications, to hear before one leaves the page with it. */
import { Button, NativeSelect } from '@mantine/core';
import { Section } from '../../../shared/forms/section';
import { api } from '../../../shared/http/request';
import { t, type TextKey } from '../../../shared/texts/texts';
import { tell } from '../../../shared/ui/toasts';
import { useSetting } from '../../data/store';
import { playSound } from '../sounds';
import classes from './choices.module.css';

/** A server may know sounds that this page does not. */
const NAMES: Readonly<Record<string, TextKey | undefined>> = {
  bell: 'sound.bell',
  chime: 'sound.chime',
  ding: 'sound.ding',
  knock: 'sound.knock',
  ripple: 'sound.ripple',
  zulip: 'sound.zulip',
};

const nameOf = (sound: string): string => {
  const key = NAMES[sound];
  return key ? t(key) : sound;
};

export function SoundChoice() {
  const sound = useSetting('notification_sound', 'zulip');
  const sounds = useSetting<readonly string[]>('available_notification_sounds', ['zulip']);
  const choose = (name: string): void => {
    playSound(name);
    tell(api.patch('/settings/notifications', { notification_sound: name }));
  };
  return (
    <Section title={t('sound.title')}>
      <div className={classes.line}>
        <NativeSelect
          aria-label={t('sound.title')}
          value={sound}
          data={sounds.map((value) => ({ value, label: nameOf(value) }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => playSound(sound)}>
          {t('sound.play')}
        </Button>
      </div>
    </Section>
  );
}
