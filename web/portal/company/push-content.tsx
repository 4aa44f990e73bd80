/** Whether push notifications of the company say who wrote what. */
import { Switch } from '@mantine/core';
import { FormError, Section } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';

const PATH = '/portal/api/push-settings';

export function PushContent() {
  const { is_owner: isOwner } = useSignedIn();
  const { value, error, reload } = useLoaded('push settings', () => api.get<{ content: boolean }>(PATH));
  const choose = async (content: boolean): Promise<void> => {
    await api.put(PATH, { content });
    await reload();
  };
  return (
    <Section title={t('push.title')}>
      <FormError text={error} />
      {value && (
        <Switch
          label={t('organisation.pushContent')}
          checked={value.content}
          disabled={!isOwner}
          onChange={(event) => tell(choose(event.currentTarget.checked), t('settings.saved'))}
        />
      )}
    </Section>
  );
}
