/**
 * The recipients of a message: a stream and topic, or people. Mantine's fields cost more than the rest of the box, and
 * most messages go to the current view. So a plain input stands in until a field gets the focus.
 */
import { startTransition, Suspense, useEffect, useState, type ReactNode } from 'react';
import { lazyPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { namesOf, useChat } from '../data/store';
import { loadTopics } from '../data/topics';
import { changeDraft } from './state';
import type { Draft } from './drafts';
import classes from './compose.module.css';

const StreamSelect = lazyPart(() => import('./stream-select'), 'StreamSelect');
const PeopleSelect = lazyPart(() => import('./people-select'), 'PeopleSelect');

const MAX_TOPICS = 60;

export function TargetFields({ draft }: { draft: Draft }) {
  return (
    <div className={classes.target}>
      {draft.type === 'stream' ? <StreamTarget draft={draft} /> : <PeopleTarget draft={draft} />}
    </div>
  );
}

interface StandInProps {
  readonly id?: string;
  readonly label: string;
  readonly text: string;
  readonly className: string | undefined;
  readonly children: (typed: string, onLeave: () => void) => ReactNode;
}

/** Text that is typed before the real field is mounted is passed on to it. */
function StandIn({ id, label, text, className, children }: StandInProps) {
  const [isReached, setReached] = useState(false);
  const [typed, setTyped] = useState('');
  const leave = (): void => {
    setReached(false);
    setTyped('');
  };
  // The stand-in keeps the focus until the real field is mounted.
  const reach = (): void => startTransition(() => setReached(true));
  return (
    <Suspense>
      {isReached ? (
        children(typed, leave)
      ) : (
        <input
          id={id}
          role="combobox"
          aria-expanded={false}
          aria-haspopup="listbox"
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          className={`${classes.standIn} ${className}`}
          value={typed === '' ? text : typed}
          onFocus={(event) => {
            event.currentTarget.select();
            reach();
          }}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </Suspense>
  );
}

function StreamTarget({ draft }: { draft: Draft }) {
  const name = useChat((state) => state.streams.get(draft.streamId)?.name ?? '');
  const topics = useChat((state) => state.topics.get(draft.streamId));
  useEffect(() => {
    if (draft.streamId > 0) void loadTopics(draft.streamId);
  }, [draft.streamId]);
  return (
    <>
      <StandIn label={t('compose.stream')} text={name} className={classes.stream}>
        {(typed, onLeave) => <StreamSelect streamId={draft.streamId} typed={typed} onLeave={onLeave} />}
      </StandIn>
      <span aria-hidden="true">›</span>
      <input
        id="compose-topic"
        className={classes.topic}
        aria-label={t('compose.topic')}
        placeholder={t('compose.topic')}
        value={draft.topic}
        maxLength={60}
        list="compose-topics"
        autoComplete="off"
        onChange={(event) => changeDraft({ topic: event.currentTarget.value })}
      />
      <datalist id="compose-topics">
        {topics?.slice(0, MAX_TOPICS).map(({ name: topic }) => (
          <option key={topic} value={topic} />
        ))}
      </datalist>
    </>
  );
}

function PeopleTarget({ draft }: { draft: Draft }) {
  const names = useChat((state) => namesOf(state.people, draft.userIds));
  return (
    <StandIn id="compose-people" label={t('compose.people')} text={names} className={classes.people}>
      {(typed, onLeave) => <PeopleSelect userIds={draft.userIds} typed={typed} onLeave={onLeave} />}
    </StandIn>
  );
}
