/** The people of the stream on the screen, or of the organisation, beside the view or as a drawer. */
import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { placeAt, type Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import { loadMembers } from './members';
import { closeDrawer, usePanel } from './panel-state';
import { PeopleList } from './people-list';
import shell from '../../shared/shell/shell.module.css';
import classes from './people-panel.module.css';

const streamOf = (narrow: Narrow | undefined): number => (narrow && 'streamId' in narrow ? narrow.streamId : 0);

/** Filled after the first conversation, because sorting thousands of people takes a while. */
export function PeoplePanel({ isWanted }: { isWanted: boolean }) {
  const { isBeside, isDrawer } = usePanel();
  const [location] = useLocation();
  const narrow = placeAt(location)?.narrow;
  const streamId = streamOf(narrow);
  const members = useChat((state) => state.members.get(streamId));
  // Members are told by address.
  const arePeopleThere = useChat((state) => state.awaited === undefined);
  const panel = useDrawer(isDrawer);
  useEffect(() => {
    if (isWanted && arePeopleThere && streamId > 0) void loadMembers(streamId);
  }, [isWanted, arePeopleThere, streamId, members]);
  useEffect(closeDrawer, [location]);
  const isHere = narrow !== undefined && narrow.kind !== 'recent';
  if (!isHere || !(isBeside || isDrawer)) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isDrawer || event.key !== 'Escape' || !panel.current?.contains(event.target as Node)) return;
    // It closes the drawer only.
    event.preventDefault();
    closeDrawer();
  };
  const title = members ? t('directory.members', { count: members.size }) : t('people.label');
  return (
    <>
      {isDrawer && (
        <button
          type="button"
          className={shell.shade}
          data-drawer
          aria-label={t('action.close')}
          onClick={closeDrawer}
        />
      )}
      <aside
        ref={panel}
        className={classes.panel}
        data-beside={isBeside || undefined}
        data-drawer={isDrawer || undefined}
        aria-label={t('people.label')}
        onKeyDown={onKeyDown}
      >
        <div className={classes.heading}>
          <h2>{title}</h2>
          <span className={classes.close}>
            <IconButton icon="close" label={t('action.close')} onClick={closeDrawer} />
          </span>
        </div>
        {isWanted && <PeopleList members={streamId > 0 ? members : undefined} />}
      </aside>
    </>
  );
}

/** The focus goes into the drawer that is opened, and back when it is closed. */
function useDrawer(isDrawer: boolean): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isDrawer) return undefined;
    const opener = document.activeElement as HTMLElement | null;
    panel.current?.querySelector<HTMLElement>('button')?.focus();
    return () => opener?.focus();
  }, [isDrawer]);
  return panel;
}
