/** The latest private conversations. The filter also finds people to begin one with. */
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import { privateMatches } from './filter';
import { PrivateRow } from './private-row';
import { SideSection } from './side-section';
import { countsOf } from './unread-total';
import classes from './chat-side.module.css';

const FEW = 8;

export function PrivateList({ current, filter }: { current: Narrow | undefined; filter: string }) {
  const conversations = useChat((state) => state.conversations);
  const people = useChat((state) => state.people);
  const mutedUsers = useChat((state) => state.mutedUsers);
  const inactive = useChat((state) => state.inactive);
  const unread = useChat((state) => countsOf(state).privates);
  const [isWhole, setWhole] = useState(false);
  const here = current?.kind === 'private' ? current.userIds.join() : '';
  const found = privateMatches({ conversations, people, inactive, mutedUsers }, filter);
  const isKnown = here === '' || found.some((userIds) => userIds.join() === here);
  const all = isKnown || filter.trim() !== '' ? found : [here.split(',').map(Number), ...found];
  const shown = isWhole || filter.trim() !== '' ? all : all.slice(0, FEW);
  return (
    <SideSection
      name="privates"
      title={t('side.privates')}
      isForced={filter.trim() !== ''}
      unread={unread}
      isQuiet={false}
    >
      {(isFolded) => (
        <>
          {shown
            .filter((userIds) => !isFolded || userIds.join() === here)
            .map((userIds) => (
              <PrivateRow key={userIds.join()} userIds={userIds} isCurrent={userIds.join() === here} />
            ))}
          {!isFolded && all.length > shown.length && (
            <li>
              <button type="button" className={classes.more} onClick={() => setWhole(true)}>
                {t('side.morePrivates', { count: all.length - shown.length })}
              </button>
            </li>
          )}
        </>
      )}
    </SideSection>
  );
}
