/** All visible streams: subscribe, create, and edit one. */
import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { VList } from 'virtua';
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { EmptyState } from '../../shared/ui/empty-state';
import { Icon } from '../../shared/ui/icon';
import { pressedRow } from '../../shared/menus/row-menu';
import { rowPress } from '../../shared/menus/row-press';
import { tell } from '../../shared/ui/toasts';
import { subscribe, unsubscribe } from '../data/actions';
import { useChat, useSetting } from '../data/store';
import type { Stream } from '../data/wire';
import { useTitle } from '../notices/title';
import { aboutOf } from '../recent/last-words';
import { StreamIcon } from '../side/stream-icon';
import { StreamRowMenu } from '../streams/stream-row-menu';
import { SearchBox } from '../views/search-box';
import { NewStream } from './new-stream';
import { StreamSettings } from './stream-settings';
import views from '../views/view.module.css';
import forms from '../../shared/forms/form.module.css';
import own from './directory.module.css';

export function Directory({ id }: { id: string | undefined }) {
  const chosen = useChat((state) => (id === undefined ? undefined : state.streams.get(Number(id))));
  const canCreate = useSetting('can_create_streams', false);
  const name = chosen?.name ?? (id === 'new' ? t('directory.new') : undefined);
  useTitle(name === undefined ? t('directory.title') : `${name} · ${t('directory.title')}`);
  return (
    <>
      <Head>
        <div className={views.title}>
          <h1>{t('directory.title')}</h1>
        </div>
        {canCreate && (
          <Button component={Link} href="/streams/new" size="compact-md">
            {t('directory.new')}
          </Button>
        )}
        <SearchBox query="" />
      </Head>
      <main className={own.directory} id="main" tabIndex={-1}>
        <StreamsList chosen={chosen} isBehind={id !== undefined} />
        <div className={own.detail} data-hidden={id === undefined || undefined}>
          <Detail id={id} chosen={chosen} />
        </div>
      </main>
    </>
  );
}

function StreamsList({ chosen, isBehind }: { chosen: Stream | undefined; isBehind: boolean }) {
  const streams = useChat((state) => state.streams);
  const [filter, setFilter] = useState('');
  const [isArchive, setArchive] = useState(chosen?.is_archived === true);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const all = [...streams.values()].filter((each) => Boolean(each.is_archived) === isArchive);
    const named = all.filter(({ name }) => name.toLowerCase().includes(wanted));
    return named.sort((a, b) => a.name.localeCompare(b.name));
  }, [streams, filter, isArchive]);
  const hasArchive = useMemo(() => [...streams.values()].some((each) => each.is_archived), [streams]);
  return (
    <div className={own.list} data-hidden={isBehind || undefined}>
      <TextInput
        aria-label={t('directory.filter')}
        placeholder={t('directory.filter')}
        value={filter}
        className={own.filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      {(hasArchive || isArchive) && (
        <button type="button" className={own.chip} aria-pressed={isArchive} onClick={() => setArchive(!isArchive)}>
          {t('directory.ofArchive')}
        </button>
      )}
      {isArchive && shown.length === 0 && <p className={own.none}>{t('directory.noneArchived')}</p>}
      <VList className={own.rows} data={shown}>
        {(stream) => <StreamRow key={stream.stream_id} stream={stream} isChosen={stream === chosen} />}
      </VList>
    </div>
  );
}

function Detail({ id, chosen }: { id: string | undefined; chosen: Stream | undefined }) {
  const canCreate = useSetting('can_create_streams', false);
  if (id === undefined) return <EmptyState drawing="quiet" title={t('directory.choose')} />;
  return (
    <>
      <Link href="/streams" className={own.back}>
        ‹ {t('directory.title')}
      </Link>
      {id === 'new' && canCreate && <NewStream />}
      {chosen && <StreamSettings key={chosen.stream_id} stream={chosen} />}
      {id !== 'new' && !chosen && <UnknownStream />}
    </>
  );
}

const UnknownStream = () => (
  <>
    <h2>{t('view.unknownStream')}</h2>
    <p className={forms.dim}>{t('view.unknownStreamText')}</p>
  </>
);

function StreamRow({ stream, isChosen }: { stream: Stream; isChosen: boolean }) {
  const subscription = useChat((state) => state.subscriptions.get(stream.stream_id));
  const label = t(subscription ? 'directory.leave' : 'directory.join', { name: stream.name });
  return (
    <div className={`${own.row} ${pressedRow}`} {...rowPress}>
      {!stream.is_archived && (
        <button
          type="button"
          className={own.tick}
          aria-label={label}
          title={label}
          aria-pressed={subscription !== undefined}
          onClick={() => tell(subscription ? unsubscribe(stream.name) : subscribe([stream.name]))}
        >
          <Icon name={subscription ? 'check' : 'plus'} size={16} />
        </button>
      )}
      <Link href={`/streams/${stream.stream_id}`} aria-current={isChosen || undefined}>
        <StreamIcon stream={stream} color={subscription?.color} />
        <span>
          <b>{stream.name}</b>
          <small>{aboutOf(stream)}</small>
        </span>
      </Link>
      <StreamRowMenu streamId={stream.stream_id} name={stream.name} />
    </div>
  );
}
