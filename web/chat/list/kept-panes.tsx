/** Keeps recently shown views mounted behind the current one, so that going back restores the scroll position. */
import { useState } from 'react';
import { keyOf, type Place } from '../data/narrow';
import { MessagePane } from './message-pane';
import classes from './message-list.module.css';

const MAX_KEPT = 12;

interface Kept {
  readonly key: string;
  readonly place: Place;
  /** Increases with every change of view. */
  readonly shownAt: number;
}

/** Panes keep their order, because a moved DOM node loses its scroll position. */
function withShown(kept: readonly Kept[], place: Place): readonly Kept[] {
  const key = keyOf(place.narrow);
  const now = { key, place, shownAt: Math.max(0, ...kept.map(({ shownAt }) => shownAt)) + 1 };
  if (kept.some((each) => each.key === key)) return kept.map((each) => (each.key === key ? now : each));
  const longestAgo = Math.min(...kept.map(({ shownAt }) => shownAt));
  return [...kept.filter(({ shownAt }) => kept.length < MAX_KEPT || shownAt !== longestAgo), now];
}

export function KeptPanes({ place }: { place: Place }) {
  const [kept, setKept] = useState(() => withShown([], place));
  const isHere = kept.some((each) => each.place === place);
  if (!isHere) setKept(withShown(kept, place));
  return (
    <div className={classes.panes}>
      {kept.map(({ key, place: each }) => (
        <div key={key} className={classes.layer} data-behind={each !== place || undefined}>
          <MessagePane narrow={each.narrow} near={each.near} isShown={each === place} />
        </div>
      ))}
    </div>
  );
}
