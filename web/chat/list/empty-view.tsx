/** A view without messages: what belongs here, and one thing to do. */
import { t, type TextKey } from '../../shared/texts/texts';
import { actionClass, EmptyState } from '../../shared/ui/empty-state';
import { focusCompose, openToPeople } from '../compose/state';
import type { Narrow } from '../data/narrow';
import { PlaceLink } from '../side/place-link';

const TEXTS: Readonly<Record<Narrow['kind'], TextKey>> = {
  all: 'empty.all',
  mentions: 'empty.mentions',
  starred: 'empty.starred',
  privates: 'empty.privates',
  recent: 'empty.all',
  stream: 'empty.stream',
  topic: 'empty.topic',
  private: 'empty.private',
  search: 'empty.search',
};

export const EmptyView = ({ narrow }: { narrow: Narrow }) => (
  <EmptyState drawing={narrow.kind === 'search' ? 'lost' : 'quiet'} title={t(TEXTS[narrow.kind])}>
    <Action narrow={narrow} />
  </EmptyState>
);

function Action({ narrow: { kind } }: { narrow: Narrow }) {
  if (kind === 'privates') return <Button name={t('compose.newPrivate')} run={() => openToPeople([])} />;
  if (kind === 'stream' || kind === 'topic' || kind === 'private') {
    return <Button name={t('compose.label')} run={focusCompose} />;
  }
  return (
    <PlaceLink href="/recent" className={actionClass}>
      {t('view.recent')}
    </PlaceLink>
  );
}

const Button = ({ name, run }: { name: string; run: () => void }) => (
  <button type="button" className={actionClass} onClick={run}>
    {name}
  </button>
);
