/** Calls that have ended: filtered by the server, more of them on demand, and as a file. */
import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { FormError, Section } from '../../shared/forms/section';
import { Badge, DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { api, type Slice } from '../http/api';
import { useCallNews } from './news';
import { Party } from './party';
import { Player } from './player';
import { lengthOf, type Call } from './wire';
import table from '../../shared/tables/table.module.css';

const PAGE = 50;
const TYPING_MS = 300;
const DIRECTIONS = ['internal', 'inbound', 'outbound', 'emergency'] as const;

const NO_FILTER = { number: '', direction: '', answered: '', from: '', to: '' };
type Filter = typeof NO_FILTER;

/** Days are those of whoever looks. */
const queryOf = ({ from, to, ...rest }: Filter) => ({
  ...rest,
  from: from === '' ? '' : new Date(`${from}T00:00`).toISOString(),
  to: to === '' ? '' : new Date(new Date(`${to}T00:00`).getTime() + 86_400_000).toISOString(),
});

function useCalls(path: string, filter: Filter) {
  const news = useCallNews(({ count }) => count);
  const [state, setState] = useState<Slice<Call> & { readonly error: string }>();
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => {
      api.slice<Call>(path, { ...queryOf(filter), limit: PAGE }).then(
        (slice) => !isOld && setState({ ...slice, error: '' }),
        (error: unknown) => !isOld && setState({ items: [], next: undefined, error: messageOf(error) }),
      );
    }, TYPING_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [path, filter, news]);
  const more = async (): Promise<void> => {
    const before = state;
    if (before?.next === undefined) return;
    try {
      const slice = await api.slice<Call>(path, { ...queryOf(filter), limit: PAGE, cursor: before.next });
      setState((now) => (now === before ? { ...slice, items: [...before.items, ...slice.items], error: '' } : now));
    } catch (error) {
      setState((now) => now && { ...now, error: messageOf(error) });
    }
  };
  return { state, more };
}

async function save(path: string, filter: Filter): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await api.blob(path, queryOf(filter)));
  link.download = 'calls.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

export function History({ uuid }: { uuid: string }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const path = `/instances/${uuid}/calls`;
  const { state, more } = useCalls(path, filter);
  const choose = (change: Partial<Filter>): void => setFilter((before) => ({ ...before, ...change }));
  return (
    <Section title={t('portal.calls.history')}>
      <div className={table.bar}>
        <TextInput
          label={t('portal.calls.number')}
          value={filter.number}
          inputMode="tel"
          onChange={(event) => choose({ number: event.currentTarget.value.trim() })}
        />
        <Select
          label={t('portal.calls.direction')}
          data={DIRECTIONS.map((value) => ({ value, label: t(`portal.calls.direction.${value}`) }))}
          value={filter.direction === '' ? null : filter.direction}
          onChange={(value) => choose({ direction: value ?? '' })}
          clearable
        />
        <Select
          label={t('portal.calls.outcome')}
          data={[
            { value: 'true', label: t('portal.calls.answered') },
            { value: 'false', label: t('portal.calls.notAnswered') },
          ]}
          value={filter.answered === '' ? null : filter.answered}
          onChange={(value) => choose({ answered: value ?? '' })}
          clearable
        />
        <TextInput
          type="date"
          label={t('portal.calls.fromDay')}
          value={filter.from}
          onChange={(event) => choose({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t('portal.calls.toDay')}
          value={filter.to}
          onChange={(event) => choose({ to: event.currentTarget.value })}
        />
        <Button variant="default" onClick={() => tell(save(`${path}/export`, filter))}>
          {t('portal.calls.export')}
        </Button>
      </div>
      <FormError text={state?.error ?? ''} />
      {state && state.error === '' && state.items.length === 0 && <p>{t('portal.calls.none')}</p>}
      {state && state.items.length > 0 && <Rows path={path} calls={state.items} />}
      {state?.next !== undefined && (
        <Button variant="default" mt="sm" onClick={() => void more()}>
          {t('portal.calls.more')}
        </Button>
      )}
    </Section>
  );
}

function Rows({ path, calls }: { path: string; calls: readonly Call[] }) {
  const { locale } = useLanguage.getState();
  const heads = ['portal.when', 'portal.calls.from', 'portal.calls.to', 'portal.calls.outcome'] as const;
  return (
    <DataTable
      label={t('portal.calls.history')}
      heads={[...heads.map((key) => t(key)), t('portal.calls.length'), t('portal.calls.recording')]}
    >
      {calls.map((call) => {
        const at = new Date(call.started_at).toLocaleString(locale);
        return (
          <tr key={call._id}>
            <td>
              {at}
              <small>{t(`portal.calls.direction.${call.direction}`)}</small>
            </td>
            <td>
              <Party number={call.from} name={call.from_name} />
            </td>
            <td>
              <Party number={call.dialled} name={call.answered_by === call.dialled ? '' : call.answered_by} />
            </td>
            <td>
              <Badge tone={call.outcome === 'answered' ? 'good' : ''}>
                {t(`portal.calls.outcome.${call.outcome}`)}
              </Badge>
            </td>
            <td className={table.number}>{call.outcome === 'answered' ? lengthOf(call.talk_seconds) : ''}</td>
            <td>
              {call.has_recording && (
                <Player path={`${path}/${call._id}/recording`} label={t('portal.calls.hearCall', { at })} />
              )}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
