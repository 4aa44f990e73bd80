/** A webhook's last hundred deliveries. Finished ones can be replayed. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Badge, DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly state: 'pending' | 'done' | 'failed' | 'dropped';
  readonly attempts: number;
  readonly answer: string | null;
  readonly created_at: string;
}

const LOOK_MS = 3000;
const TONES = { pending: '', done: 'good', failed: 'bad', dropped: '' } as const;

export function Deliveries({ path }: { path: string }) {
  const { value, error, reload } = useLoaded(path, () => api.get<readonly Delivery[]>(`${path}/deliveries`));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const run = async (action: string): Promise<void> => {
    await api.post(`${path}/${action}`);
    await reload();
  };
  return (
    <>
      <Button size="compact-sm" mt="xs" mb="xs" onClick={() => tell(run('test'))}>
        {t('portal.testWebhook')}
      </Button>
      <FormError text={error} />
      {value?.length === 0 && <p>{t('portal.noDeliveries')}</p>}
      <DataTable
        label={t('portal.deliveries')}
        heads={[t('portal.when'), t('portal.event'), t('portal.outcome'), t('portal.actions')]}
      >
        {value?.map((delivery) => (
          <tr key={delivery.id}>
            <td>{new Date(delivery.created_at).toLocaleString(useLanguage.getState().locale)}</td>
            <td>
              <details>
                <summary>{delivery.event}</summary>
                <code>{delivery.body}</code>
              </details>
            </td>
            <td>
              <Badge tone={TONES[delivery.state]}>{t(`portal.delivery.${delivery.state}`)}</Badge>
              <small>
                {t('portal.attempts', { count: delivery.attempts })} {delivery.answer}
              </small>
            </td>
            <td>
              {delivery.state !== 'pending' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => tell(run(`deliveries/${delivery.id}/replay`))}
                >
                  {t('portal.replay')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
