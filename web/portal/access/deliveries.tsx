/** A webhook's last hundred deliveries with their payloads. Finished ones are sent again, one or several at once. */
import { Button, Checkbox, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Badge, DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import classes from '../../shared/forms/form.module.css';
import table from '../../shared/tables/table.module.css';

const STATES = ['pending', 'done', 'failed', 'dropped'] as const;

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly body: string;
  readonly state: (typeof STATES)[number];
  readonly attempts: number;
  readonly answer: string | null;
  readonly created_at: string;
}

const LOOK_MS = 3000;
const TONES = { pending: '', done: 'good', failed: 'bad', dropped: '' } as const;

export function Deliveries({ path }: { path: string }) {
  const [state, setState] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const key = `${path} ${state}`;
  const { value, error, reload } = useLoaded(key, () => api.get<readonly Delivery[]>(`${path}/deliveries`, { state }));
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const finished = (value ?? []).filter((delivery) => delivery.state !== 'pending').map(({ id }) => id);
  const ids = finished.filter((id) => chosen.has(id));
  const test = async (): Promise<void> => {
    await api.post(`${path}/test`);
    await reload();
  };
  const replay = async (which: readonly number[]): Promise<void> => {
    const { replayed } = await api.post<{ replayed: number }>(`${path}/deliveries/replay`, { delivery_ids: which });
    setChosen(new Set());
    toast(t('portal.replayed', { count: replayed }));
    await reload();
  };
  const choose = (id: number, isChosen: boolean): void =>
    setChosen((before) => new Set([...before].filter((each) => each !== id).concat(isChosen ? [id] : [])));
  return (
    <>
      <div className={table.bar}>
        <Select
          label={t('portal.outcome')}
          data={STATES.map((each) => ({ value: each, label: t(`portal.delivery.${each}`) }))}
          placeholder={t('portal.allDeliveries')}
          value={state === '' ? null : state}
          onChange={(next) => setState(next ?? '')}
          clearable
        />
        <Button onClick={() => tell(test())}>{t('portal.testWebhook')}</Button>
        <Button
          variant="default"
          disabled={finished.length === 0}
          onClick={() => setChosen(new Set(ids.length === finished.length ? [] : finished))}
        >
          {t('portal.chooseDeliveries')}
        </Button>
        {ids.length > 0 && (
          <Button variant="default" onClick={() => tell(replay(ids))}>
            {t('portal.replayChosen', { count: ids.length })}
          </Button>
        )}
      </div>
      <FormError text={error} />
      {value?.length === 0 && <p>{t('portal.noDeliveries')}</p>}
      <DataTable
        label={t('portal.deliveries')}
        heads={[t('portal.when'), t('portal.event'), t('portal.outcome'), t('portal.actions')]}
      >
        {value?.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <Checkbox
                label={new Date(delivery.created_at).toLocaleString(useLanguage.getState().locale)}
                checked={chosen.has(delivery.id)}
                disabled={delivery.state === 'pending'}
                onChange={(event) => choose(delivery.id, event.currentTarget.checked)}
              />
            </td>
            <td className={table.words}>
              <details>
                <summary>{delivery.event}</summary>
                <pre className={classes.code}>{indented(delivery.body)}</pre>
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
                <Button size="compact-sm" variant="default" onClick={() => tell(replay([delivery.id]))}>
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

/** As people read JSON; what is posted has no spaces. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
