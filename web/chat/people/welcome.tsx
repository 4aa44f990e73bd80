/** The first page of a new person: which streams to read. */
import { Button, Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { Page } from '../../shared/shell/page';
import { t } from '../../shared/texts/texts';
import { subscribe, unsubscribe } from '../data/actions';
import { useChat, useSetting } from '../data/store';
import type { Stream } from '../data/wire';
import { aboutOf } from '../recent/last-words';
import { useWork } from '../settings/use-work';
import { StreamIcon } from '../side/stream-icon';
import forms from '../../shared/forms/form.module.css';
import classes from './welcome.module.css';

/** Of thousands, the others are on the page of all streams. */
const MAX_SHOWN = 100;

const currentOf = (streams: ReadonlyMap<number, Stream>): Stream[] =>
  [...streams.values()].filter((each) => !each.is_archived).sort((a, b) => a.name.localeCompare(b.name));

export function Welcome() {
  const organisation = useSetting('realm_name', 'Partyline');
  const streams = useChat((state) => state.streams);
  const subscriptions = useChat((state) => state.subscriptions);
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const { isBusy, run } = useWork();
  const shown = useMemo(() => currentOf(streams).slice(0, MAX_SHOWN), [streams]);
  const isChosen = (id: number): boolean => chosen.get(id) ?? subscriptions.has(id);
  const finish = async (): Promise<void> => {
    const changed = shown.filter(({ stream_id: id }) => isChosen(id) !== subscriptions.has(id));
    const joined = changed.filter(({ stream_id: id }) => isChosen(id)).map(({ name }) => name);
    const left = changed.filter(({ stream_id: id }) => !isChosen(id));
    const work = async (): Promise<void> => {
      if (joined.length > 0) await subscribe(joined);
      for (const { name } of left) await unsubscribe(name);
    };
    if (await run(work, '')) navigate('/', { replace: true });
  };
  return (
    <Page title={t('welcome.title', { organisation })} of={organisation}>
      <p className={forms.dim}>{t('welcome.hint')}</p>
      <ul className={classes.streams} aria-label={t('side.streams')}>
        {shown.map((stream) => (
          <li key={stream.stream_id}>
            <Checkbox
              checked={isChosen(stream.stream_id)}
              label={
                <span className={classes.name}>
                  <StreamIcon stream={stream} color={subscriptions.get(stream.stream_id)?.color} /> {stream.name}
                </span>
              }
              description={aboutOf(stream)}
              onChange={(event) => setChosen(new Map(chosen).set(stream.stream_id, event.currentTarget.checked))}
            />
          </li>
        ))}
      </ul>
      <div className={forms.actions}>
        <Button loading={isBusy} onClick={() => void finish()}>
          {t('welcome.start')}
        </Button>
        <Button variant="default" onClick={() => navigate('/settings/profile')}>
          {t('welcome.profile')}
        </Button>
      </div>
    </Page>
  );
}
