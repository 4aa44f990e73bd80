/** The user's active sessions. */
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { agentName } from '../../shared/agent-name';
import { messageOf } from '../../shared/http/message-of';
import { request } from '../../shared/http/request';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { Section } from '../../shared/forms/section';
import { useWork } from './use-work';
import classes from './settings.module.css';

interface SessionRow {
  readonly id: string | number;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly agent: string;
  readonly address: string;
  readonly current: boolean;
}

export function Sessions() {
  const [sessions, setSessions] = useState<readonly SessionRow[]>([]);
  const { isBusy, run } = useWork();
  const load = useCallback(async () => {
    setSessions((await request<{ sessions: SessionRow[] }>('GET', '/web/sessions')).sessions);
  }, []);
  useEffect(() => {
    load().catch((error: unknown) => toast(messageOf(error), true));
  }, [load]);
  const end = (ids: readonly SessionRow['id'][]): void =>
    void run(async () => {
      for (const id of ids) await request('DELETE', `/web/sessions/${id}`);
      await load();
    });
  const others = sessions.filter(({ current }) => !current);
  return (
    <Section hint={t('sessions.hint')}>
      <ul className={classes.list}>
        {sessions.map(({ id, agent, address, last_used_at, current }) => (
          <li key={id}>
            <span className={classes.grow}>
              {agentName(agent)}
              <small>
                {address} · {current ? t('sessions.current') : ago(last_used_at)}
              </small>
            </span>
            {!current && (
              <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => end([id])}>
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button mt="xs" variant="default" loading={isBusy} onClick={() => end(others.map(({ id }) => id))}>
          {t('sessions.endOthers')}
        </Button>
      )}
    </Section>
  );
}
