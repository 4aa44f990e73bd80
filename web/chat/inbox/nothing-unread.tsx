/** The Inbox of somebody who has read everything, or who has just come. */
import { t } from '../../shared/texts/texts';
import { actionClass, EmptyState } from '../../shared/ui/empty-state';
import { useChat, useSetting } from '../data/store';
import { PlaceLink } from '../side/place-link';

const NEW_MS = 24 * 3_600_000;

export function NothingUnread() {
  const me = useChat((state) => state.people.get(state.ownId));
  const organisation = useSetting('realm_name', '');
  const hasStreams = useChat((state) => state.subscriptions.size > 0);
  const isNew = me !== undefined && Date.now() - Date.parse(me.date_joined) < NEW_MS;
  if (!hasStreams) {
    return (
      <EmptyState drawing="welcome" title={t('inbox.welcome', { organisation })} text={t('inbox.noStreams')}>
        <PlaceLink href="/streams" className={actionClass}>
          {t('inbox.findStreams')}
        </PlaceLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing={isNew ? 'welcome' : 'done'}
      title={isNew ? t('inbox.welcome', { organisation }) : t('inbox.done')}
      text={t(isNew ? 'inbox.welcomeText' : 'inbox.doneText')}
    >
      <PlaceLink href="/recent" className={actionClass}>
        {t('view.recent')}
      </PlaceLink>
    </EmptyState>
  );
}
