/** Topics of all streams of the user by words in their names: the server knows those that this page has not loaded. */
import { useEffect, useState } from 'react';
import { api } from '../../shared/http/request';

export interface FoundTopic {
  readonly streamId: number;
  readonly name: string;
}

const MIN_LENGTH = 2;
/** Somebody who types is not interrupted after each letter. */
const PAUSE_MS = 150;
const NONE: readonly FoundTopic[] = [];

interface Found {
  readonly topics: readonly { readonly stream_id: number; readonly name: string }[];
}

/** What was found for the text, or for the one before it while the answer is on its way. */
export function useFoundTopics(text: string): readonly FoundTopic[] {
  const [found, setFound] = useState(NONE);
  const query = text.trim().slice(0, 200);
  useEffect(() => {
    if (query.length < MIN_LENGTH) {
      setFound(NONE);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      api.get<Found>('/users/me/topics', { query }, { signal: stop.signal }).then(
        ({ topics }) => setFound(topics.map(({ stream_id, name }) => ({ streamId: stream_id, name }))),
        // The page then finds what it has itself.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  return found;
}
