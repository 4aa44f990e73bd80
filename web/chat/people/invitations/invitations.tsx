/** Invites people by mail or by a link, and lists what is open: for administrators everything, for members their own. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { FormError, Section } from '../../../shared/forms/section';
import { messageOf } from '../../../shared/http/message-of';
import { api } from '../../../shared/http/request';
import { ago, dateAndTimeOf } from '../../../shared/texts/dates';
import { t } from '../../../shared/texts/texts';
import { copyText } from '../../../shared/ui/copy-text';
import { nameOf, useChat } from '../../data/store';
import { useWork } from '../../settings/use-work';
import { LinkForm, MailForm } from './invite-forms';
import forms from '../../../shared/forms/form.module.css';
import classes from '../../settings/settings.module.css';

interface Invite {
  readonly id: number;
  readonly invited_by_user_id: number;
  readonly invited: number;
  /** Seconds. */
  readonly expiry_date: number | null;
  readonly email?: string;
  readonly link_url?: string;
  readonly uses?: number;
  readonly max_uses?: number | null;
}

export function Invitations() {
  const [invites, setInvites] = useState<readonly Invite[]>();
  const [error, setError] = useState('');
  const load = async (): Promise<void> => {
    try {
      setInvites((await api.get<{ invites: Invite[] }>('/invites')).invites);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  useEffect(() => void load(), []);
  return (
    <>
      <Section title={t('invite.title')}>
        <MailForm onDone={load} />
      </Section>
      <Section title={t('invite.link')} hint={t('invite.linkHint')}>
        <LinkForm onDone={load} />
      </Section>
      <Section title={t('invite.open')}>
        <FormError text={error} />
        {invites?.length === 0 && <p className={forms.dim}>{t('invite.none')}</p>}
        <ul className={classes.list} aria-label={t('invite.open')}>
          {invites?.map((invite) => (
            <InviteRow key={invite.id} invite={invite} onChange={load} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function facts({ invited, expiry_date: end, invited_by_user_id: by, uses, max_uses: most }: Invite, ownId: number) {
  return [
    ago(invited),
    ...(by === ownId ? [] : [t('invite.by', { name: nameOf(by) })]),
    ...(end === null ? [] : [t('invite.until', { time: dateAndTimeOf(end) })]),
    ...(uses === undefined ? [] : [usesOf(uses, most ?? null)]),
  ].join(' · ');
}

const usesOf = (uses: number, most: number | null): string =>
  most === null ? t('invite.used', { uses }) : t('invite.usedOf', { uses, most });

function InviteRow({ invite, onChange }: { invite: Invite; onChange: () => Promise<void> }) {
  const { id, email, link_url: link = '' } = invite;
  const ownId = useChat((state) => state.ownId);
  const { isBusy, run } = useWork();
  const change = (work: () => Promise<unknown>): void =>
    void run(async () => {
      await work();
      await onChange();
    });
  const button = (text: string, press: () => void) => (
    <Button size="compact-sm" variant="default" disabled={isBusy} onClick={press}>
      {text}
    </Button>
  );
  return (
    <li>
      <span className={classes.grow}>
        {email ?? link}
        <small>{facts(invite, ownId)}</small>
      </span>
      {email === undefined
        ? button(t('invite.copy'), () => void run(() => copyText(link), t('invite.copied')))
        : button(t('invite.again'), () => change(() => api.post(`/invites/${id}/resend`)))}
      {button(t('invite.revoke'), () =>
        change(() => api.remove(email === undefined ? `/invites/multiuse/${id}` : `/invites/${id}`)),
      )}
    </li>
  );
}
