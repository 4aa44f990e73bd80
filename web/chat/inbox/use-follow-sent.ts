/** A page that shows no messages leads to the conversation of what was just sent, so that its author sees it. */
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { pathOf } from '../data/narrow';
import { useOutbox, type Outgoing } from '../data/outbox';

const pathOfSent = ({ type, to, topic }: Outgoing): string =>
  type === 'stream' ? pathOf({ kind: 'topic', streamId: to[0] ?? 0, topic }) : pathOf({ kind: 'private', userIds: to });

export function useFollowSent(): void {
  useEffect(
    () =>
      useOutbox.subscribe(({ entries }, before) => {
        const known = new Set(before.entries.map(({ key }) => key));
        const sent = entries.find(({ key, state }) => state === 'sending' && !known.has(key));
        if (sent) navigate(pathOfSent(sent));
      }),
    [],
  );
}
