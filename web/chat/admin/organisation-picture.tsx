/** The organisation's picture. */
import { Button } from '@mantine/core';
import { Section } from '../../shared/forms/section';
import { api, request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { Mark } from '../../shared/ui/mark';
import { useSetting } from '../data/store';
import { PictureButton } from '../settings/picture-button';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';

export function OrganisationPicture() {
  const url = useSetting('realm_icon_url', '');
  const isUploaded = useSetting<string>('realm_icon_source', '') === 'U';
  const { isBusy, run } = useWork();
  return (
    <Section hint={t('organisation.pictureHint')}>
      <div className={forms.actions}>
        <Mark organisation={url} size={64} />
        <PictureButton
          loading={isBusy}
          onPick={(file) => void run(() => request('POST', '/api/v1/realm/icon', { file }))}
        >
          {t('organisation.picture')}
        </PictureButton>
        {isUploaded && (
          <Button variant="subtle" disabled={isBusy} onClick={() => void run(() => api.remove('/realm/icon'))}>
            {t('organisation.noPicture')}
          </Button>
        )}
      </div>
    </Section>
  );
}
