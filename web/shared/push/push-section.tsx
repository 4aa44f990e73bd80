/** Push notifications: on and off for this browser, a test, and the user's other devices. */
import { Button, Switch } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { agentName } from '../agent-name';
import { Section } from '../forms/section';
import { messageOf } from '../http/message-of';
import { ago } from '../texts/dates';
import { t } from '../texts/texts';
import { toast } from '../ui/toasts';
import { canPush, isPushOn, turnPushOff, turnPushOn, type PushApi, type PushDevices } from './push-device';
import forms from '../forms/form.module.css';
import classes from './push-section.module.css';

interface Known extends PushDevices {
  readonly isOn: boolean;
}

export function PushSection({ api }: { api: PushApi }) {
  const [known, setKnown] = useState<Known>();
  const [isBusy, setBusy] = useState(false);
  const load = useCallback(async () => {
    const listed = await api.list();
    const isListed = listed.devices.some(({ current }) => current);
    setKnown({ ...listed, isOn: isListed && (await isPushOn(api.scope)) });
  }, [api]);
  useEffect(() => {
    load().catch((error: unknown) => toast(messageOf(error), true));
  }, [load]);
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    setBusy(true);
    try {
      const done = await work();
      if (done !== undefined) toast(done);
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      await load().catch(() => undefined);
      setBusy(false);
    }
  };
  if (!known || known.public_key === null) return null;
  const { devices, isOn, public_key: key } = known;
  const current = devices.filter((device) => device.current);
  const others = devices.filter((device) => !device.current);
  const turn = (wanted: boolean) =>
    run(async () => {
      if (wanted) return (await turnPushOn(api, key)) ? t('push.isOn') : t('push.denied');
      await turnPushOff(api.scope);
      for (const { id } of current) await api.remove(id);
      return t('push.isOff');
    });
  const test = () =>
    run(async () => {
      for (const { id } of current) await api.test(id);
      return t('push.tested');
    });
  return (
    <Section title={t('push.title')} hint={t(canPush() ? 'push.hint' : 'push.cannot')}>
      {canPush() && (
        <div className={forms.actions}>
          <Switch
            label={t('push.thisDevice')}
            checked={isOn}
            disabled={isBusy}
            onChange={(event) => void turn(event.currentTarget.checked)}
          />
          {isOn && (
            <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void test()}>
              {t('push.test')}
            </Button>
          )}
        </div>
      )}
      {others.length > 0 && (
        <ul className={classes.list} aria-label={t('push.others')}>
          {others.map(({ id, agent, seen_at: seenAt }) => (
            <li key={id}>
              <span>
                {agentName(agent) || t('push.unnamed')}
                <small>{ago(seenAt)}</small>
              </span>
              <Button
                size="compact-sm"
                variant="default"
                disabled={isBusy}
                onClick={() => void run(async () => void (await api.remove(id)))}
              >
                {t('push.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
