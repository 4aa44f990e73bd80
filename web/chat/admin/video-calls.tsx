/** Which service the button for a video call uses. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Section } from '../../shared/forms/section';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { useSetting } from '../data/store';
import { useWork } from '../settings/use-work';
import { JITSI } from '../text/video-call';
import forms from '../../shared/forms/form.module.css';

export function VideoCalls() {
  const provider = useSetting<number>('realm_video_chat_provider', 0);
  const known = useSetting('realm_jitsi_server_url', '');
  const ofServer = useSetting('jitsi_server_url', '');
  const [address, setAddress] = useState(known);
  const { isBusy, run } = useWork();
  const save = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(() => api.patch('/realm', { jitsi_server_url: JSON.stringify(address.trim()) }));
  };
  return (
    <Section title={t('organisation.calls')}>
      <form className={forms.form} onSubmit={save}>
        <Select
          label={t('organisation.callsBy')}
          data={[
            { value: String(JITSI), label: 'Jitsi Meet' },
            { value: '0', label: t('organisation.noCalls') },
          ]}
          value={provider === JITSI ? String(JITSI) : '0'}
          allowDeselect={false}
          onChange={(chosen) => void run(() => api.patch('/realm', { video_chat_provider: Number(chosen) }))}
        />
        {provider === JITSI && (
          <>
            <TextInput
              label={t('organisation.jitsi')}
              description={t('organisation.jitsiHint', { address: ofServer })}
              type="url"
              maxLength={200}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <Button type="submit" loading={isBusy} disabled={address.trim() === known}>
              {t('action.save')}
            </Button>
          </>
        )}
      </form>
    </Section>
  );
}
