/** Polls an API answer while the page is visible. */
import { useCallback, useEffect, useState } from 'react';
import type { Params } from '../../shared/http/request';
import { ops } from './api';

export interface Live<Answer> {
  /** Undefined until the first answer. */
  readonly answer: Answer | undefined;
  /** Why the newest answer is missing. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** Well below an operator's rate limit, even with several pages open. */
const EVERY_MS = 5000;
/** A change takes effect within moments, so `reload` polls sooner a few times. */
const SOON_MS = 1000;
const SOON_TIMES = 3;

interface Held {
  readonly key: string;
  readonly answer?: unknown;
  readonly error?: unknown;
}

export function useLive<Answer>(path: string, params: Params = {}, everyMs = EVERY_MS): Live<Answer> {
  const key = JSON.stringify([path, params]);
  const [held, setHeld] = useState<Held>({ key });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    const ending = new AbortController();
    const [at, wanted] = JSON.parse(key) as [string, Params];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLooking = false;
    let soonTimes = turn === 0 ? 0 : SOON_TIMES;
    const look = async (): Promise<void> => {
      isLooking = true;
      let next: (before: Held) => Held = (before) => before;
      try {
        const answer = document.hidden ? undefined : await ops.get<Answer>(at, wanted, ending.signal);
        if (answer !== undefined) next = () => ({ key, answer });
      } catch (error) {
        next = (before) => (before.key === key ? { ...before, error } : { key, error });
      }
      isLooking = false;
      if (ending.signal.aborted) return;
      setHeld(next);
      soonTimes -= 1;
      timer = setTimeout(() => void look(), soonTimes >= 0 ? SOON_MS : everyMs);
    };
    const comeBack = (): void => {
      // A running request schedules the next one itself. A second one would start a parallel loop.
      if (document.hidden || isLooking) return;
      clearTimeout(timer);
      void look();
    };
    void look();
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      ending.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', comeBack);
    };
  }, [key, turn, everyMs]);

  const isCurrent = held.key === key;
  return {
    answer: isCurrent ? (held.answer as Answer | undefined) : undefined,
    error: isCurrent ? held.error : undefined,
    reload,
  };
}
