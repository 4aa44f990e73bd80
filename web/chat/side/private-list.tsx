/** The latest private conversations. */
import { useState } from 'react';
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { pathOf, type Narrow } from '../data/narrow';
import { namesOf, useChat } from '../data/store';
import { countOf, privateConversation } from '../data/unread';
import { PresenceDot } from '../people/presence-dot';
import { PlaceLink } from './place-link';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

const FEW = 8;

export function PrivateList({ current, filter }: { current: Narrow | undefined; filter: string }) {
  const conversations = useChat((state) => state.conversations);
  const people = useChat((state) => state.people);
  const unread = useChat((state) => state.unread);
  const [isWhole, setWhole] = useState(false);
  const wanted = filter.trim().toLowerCase();
  const here = current?.kind === 'private' ? current.userIds.join() : '';
  const isKnown = conversations.some(({ userIds }) => userIds.join() === here);
  const all =
    here === '' || isKnown ? conversations : [{ userIds: here.split(',').map(Number), maxId: 0 }, ...conversations];
  const found = all.filter(({ userIds }) => namesOf(people, userIds).toLowerCase().includes(wanted));
  const shown = isWhole || wanted !== '' ? found : found.slice(0, FEW);
  return (
    <section aria-label={t('side.privates')}>
      <div className={classes.heading}>
        <h2>{t('side.privates')}</h2>
      </div>
      <ul className={nav.list}>
        {shown.map(({ userIds }) => (
          <li key={userIds.join()}>
            <PlaceLink
              href={pathOf({ kind: 'private', userIds })}
              className={nav.entry}
              aria-current={userIds.join() === here ? 'page' : undefined}
            >
              {userIds.length === 1 ? <PresenceDot id={userIds[0]!} /> : <Icon name="users" size={14} />}
              <span className={nav.label}>{namesOf(people, userIds)}</span>
              <Count count={countOf(unread, privateConversation(userIds))} />
            </PlaceLink>
          </li>
        ))}
        {found.length > shown.length && (
          <li>
            <button type="button" className={classes.moreTopics} onClick={() => setWhole(true)}>
              {t('side.morePrivates', { count: found.length - shown.length })}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
