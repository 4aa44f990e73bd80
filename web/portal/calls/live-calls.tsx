/** Calls under way, as the events tell of them. */
import { useEffect } from 'react';
import { FormError, Section } from '../../shared/forms/section';
import { Badge, DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { Note } from '../../shared/ui/note';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useCallNews } from './news';
import { Party } from './party';
import type { LiveCalls } from './wire';

/** In case that nobody listens: then there are no events. */
const LOOK_MS = 15_000;

export function Live() {
  const news = useCallNews(({ count }) => count);
  const live = useLoaded('live', () => api.get<LiveCalls>('/calls/live'));
  const { reload } = live;
  useEffect(() => {
    if (news > 0) void reload();
  }, [news, reload]);
  useEffect(() => {
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const calls = live.value?.calls ?? [];
  return (
    <Section title={t('portal.calls.live')}>
      <FormError text={live.error} />
      {live.value && live.value.unknown.length > 0 && <Note>{t('portal.calls.unknown')}</Note>}
      {live.value && calls.length === 0 && <p>{t('portal.calls.noLive')}</p>}
      {calls.length > 0 && (
        <DataTable
          label={t('portal.calls.live')}
          heads={[t('portal.calls.from'), t('portal.calls.to'), t('portal.calls.state'), t('portal.calls.since')]}
        >
          {calls.map((call) => (
            <tr key={`${call.pbx} ${call.call_id}`}>
              <td>
                <Party number={call.from} name={call.from_name} />
              </td>
              <td>
                <Party number={call.answered_by === '' ? call.dialled : call.answered_by} />
              </td>
              <td>
                <Badge tone={call.state === 'answered' ? 'good' : ''}>{t(`portal.calls.live.${call.state}`)}</Badge>
              </td>
              <td>{new Date(call.started_at).toLocaleTimeString(useLanguage.getState().locale)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </Section>
  );
}
