/** The user's subscribed streams. The current one shows its topics. */
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { pathOf, type Narrow } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import { loadTopics } from '../data/topics';
import { countOf, streamConversation } from '../data/unread';
import type { Subscription } from '../data/wire';
import { PlaceLink } from './place-link';
import { StreamIcon } from './stream-icon';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

interface ListProps {
  readonly current: Narrow | undefined;
  readonly filter: string;
}

const byName = new Intl.Collator();

/** Pinned streams first, muted ones last, by name within each group. */
export function inOrder(subscriptions: Iterable<Subscription>): Subscription[] {
  const rank = (each: Subscription): number => (each.is_muted ? 2 : each.pin_to_top ? 0 : 1);
  return [...subscriptions].sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name));
}

/** More than fits on the screen. The rest is rendered afterwards. */
const FIRST_DRAWN = 50;

export function StreamList({ current, filter }: ListProps) {
  const subscriptions = useChat((state) => state.subscriptions);
  const wanted = filter.trim().toLowerCase();
  const ordered = useMemo(() => inOrder(subscriptions.values()), [subscriptions]);
  const shown = useMemo(() => ordered.filter(({ name }) => name.toLowerCase().includes(wanted)), [ordered, wanted]);
  const drawn = useDeferredValue(shown, shown.slice(0, FIRST_DRAWN));
  const here = current && 'streamId' in current ? current : undefined;
  return (
    <section aria-label={t('side.streams')}>
      <div className={classes.heading}>
        <h2>{t('side.streams')}</h2>
        <PlaceLink
          href="/streams"
          className={classes.more}
          aria-label={t('side.allStreams')}
          title={t('side.allStreams')}
        >
          <Icon name="plus" size={16} />
        </PlaceLink>
      </div>
      <ul className={nav.list}>
        {drawn.map((stream) => (
          <StreamEntry
            key={stream.stream_id}
            stream={stream}
            current={here?.streamId === stream.stream_id ? here : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly stream: Subscription;
  /** The current view, if it belongs to this stream. */
  readonly current: Narrow | undefined;
}

/** Memoised, because there may be a thousand entries. */
const StreamEntry = memo(function StreamEntry({ stream, current }: EntryProps) {
  const { stream_id: streamId, name } = stream;
  const count = useChat((state) => countsOf(state).streams.get(streamId) ?? 0);
  return (
    <li>
      <PlaceLink
        href={pathOf({ kind: 'stream', streamId })}
        className={nav.entry}
        data-muted={stream.is_muted || undefined}
        aria-current={current?.kind === 'stream' ? 'page' : undefined}
      >
        <StreamIcon stream={stream} color={stream.color} />
        <span className={nav.label}>{name}</span>
        <Count count={count} isQuiet={stream.is_muted} />
      </PlaceLink>
      {current && <TopicList streamId={streamId} current={current} />}
    </li>
  );
});

const FEW = 6;

function TopicList({ streamId, current }: { streamId: number; current: Narrow }) {
  const [isWhole, setWhole] = useState(false);
  const topics = useChat((state) => state.topics.get(streamId));
  useEffect(() => void loadTopics(streamId), [streamId, topics]);
  const here = current.kind === 'topic' ? current.topic.toLowerCase() : '';
  const shown = topics?.filter(({ name }, index) => isWhole || index < FEW || name.toLowerCase() === here);
  return (
    <ul className={classes.topics} aria-label={t('side.topics')}>
      {shown?.map(({ name }) => (
        <TopicEntry key={name.toLowerCase()} streamId={streamId} topic={name} isCurrent={name.toLowerCase() === here} />
      ))}
      {topics && shown && topics.length > shown.length && (
        <li>
          <button type="button" className={classes.moreTopics} onClick={() => setWhole(true)}>
            {t('side.moreTopics', { count: topics.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}

function TopicEntry({ streamId, topic, isCurrent }: { streamId: number; topic: string; isCurrent: boolean }) {
  const count = useChat((state) => countOf(state.unread, streamConversation(streamId, topic)));
  const isMuted = useChat((state) => state.mutedTopics.has(topicKey(streamId, topic)));
  return (
    <li>
      <PlaceLink
        href={pathOf({ kind: 'topic', streamId, topic })}
        className={nav.entry}
        data-muted={isMuted || undefined}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <span className={nav.label}>{topic}</span>
        <Count count={count} isQuiet={isMuted} />
      </PlaceLink>
    </li>
  );
}
