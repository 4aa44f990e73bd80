/** Loads data when a component is shown, and again on demand. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/** `key` identifies the data. Answers that arrive after a newer request are ignored. */
export function useLoaded<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error: string }>({ key: '', error: '' });
  const loader = useRef(load);
  const turn = useRef(0);
  loader.current = load;
  const reload = useCallback(async () => {
    const own = (turn.current += 1);
    try {
      const value = await loader.current();
      if (own === turn.current) setState({ key, value, error: '' });
    } catch (error) {
      if (own === turn.current) setState((before) => ({ ...before, key, error: messageOf(error) }));
    }
  }, [key]);
  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);
  return { value: state.value, error: state.error, isLoading: state.key !== key, reload };
}
