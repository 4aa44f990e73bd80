/** Polls the provisioning states of the visible extensions. */
import { useCallback, useEffect, useState } from 'react';
import { api } from '../http/api';

export interface Standing {
  readonly number: number;
  readonly state: 'ready' | 'waiting' | 'failed' | 'stuck' | 'drifted';
  readonly detail: string;
  /** What failed. */
  readonly order: 'create' | 'update' | 'delete' | null;
}

export interface Standings {
  readonly byNumber: ReadonlyMap<number, Standing>;
  readonly reload: () => Promise<void>;
}

const BUSY_MS = 2000;
const QUIET_MS = 10_000;

export function useStandings(uuid: string, numbers: readonly number[]): Standings {
  const [byNumber, setByNumber] = useState<ReadonlyMap<number, Standing>>(new Map());
  const asked = numbers.join(',');
  const reload = useCallback(async () => {
    if (asked === '') return;
    const path = `/portal/api/instances/${uuid}/standings`;
    const found = await api.get<readonly Standing[]>(path, { numbers: asked });
    setByNumber(new Map(found.map((each) => [each.number, each])));
  }, [uuid, asked]);
  const isBusy = [...byNumber.values()].some(({ state }) => state === 'waiting');
  useEffect(() => {
    // Failures are retried; the list itself reports an unreachable server.
    const look = (): void => void reload().catch(() => undefined);
    look();
    const timer = setInterval(() => document.hidden || look(), isBusy ? BUSY_MS : QUIET_MS);
    return () => clearInterval(timer);
  }, [reload, isBusy]);
  return { byNumber, reload };
}
