/** A message view: header, list and compose box. */
import { useLayoutEffect, useMemo } from 'react';
import { t } from '../../shared/texts/texts';
import { Compose } from '../compose/compose';
import { openFor } from '../compose/state';
import { showList } from '../data/lists';
import { openList, prepareList } from '../data/load';
import { placeAt } from '../data/narrow';
import { chat, useChat } from '../data/store';
import { ArchivedBar } from '../streams/archived-bar';
import { SubscribeBar } from '../streams/subscribe-bar';
import { KeptPanes } from '../list/kept-panes';
import { keepTitle } from '../notices/title';
import { titleOf } from './title';
import { Nowhere, NoView } from './nowhere';
import { ViewHead } from './view-head';

export function View({ path }: { path: string }) {
  const place = useMemo(() => {
    const found = placeAt(path);
    // Requested first, so that the server answers while the view is drawn.
    if (found) prepareList(found.narrow, found.near);
    return found;
  }, [path]);
  // In the layout effect, so that no event comes between the request for messages and the list that waits for them.
  useLayoutEffect(() => {
    if (!place) return undefined;
    showList(place.narrow);
    void openList(place.narrow, place.near);
    openFor(place.narrow);
    return keepTitle(() => titleOf(place.narrow, chat()));
  }, [place]);
  const streamId = place && 'streamId' in place.narrow ? place.narrow.streamId : undefined;
  const isUnknown = useChat((state) => streamId !== undefined && !state.streams.has(streamId));
  const isArchived = useChat((state) => state.streams.get(streamId ?? 0)?.is_archived === true);
  if (!place) return <NoView />;
  if (isUnknown) {
    const action = { name: t('inbox.findStreams'), path: '/streams' };
    return <Nowhere title={t('view.unknownStream')} text={t('view.unknownStreamText')} action={action} />;
  }
  return (
    <>
      <ViewHead narrow={place.narrow} />
      <KeptPanes place={place} />
      {isArchived ? (
        <ArchivedBar streamId={streamId!} />
      ) : (
        <>
          <SubscribeBar narrow={place.narrow} />
          <Compose />
        </>
      )}
    </>
  );
}
