/** Invites people by mail, and lists pending invitations. */
import { Button, MultiSelect, Select, Textarea } from '@mantine/core';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { useChat, useSetting } from '../data/store';
import { Section } from '../../shared/forms/section';
import { useWork } from '../settings/use-work';
import { inOrder } from '../side/stream-list';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

interface Invite {
  readonly id: number;
  readonly email: string;
  readonly invited: number;
}

const MEMBER = '1';
const ADMIN = '2';
const GUEST = '3';

export function Invitations() {
  const [invites, setInvites] = useState<readonly Invite[]>();
  const { isBusy, run } = useWork();
  const load = async (): Promise<void> => {
    const answer = await api.get<{ invites: Invite[] }>('/invites');
    setInvites(answer.invites.filter(({ email }) => typeof email === 'string'));
  };
  // A server that sends no mail has no invitations, so nothing is shown.
  useEffect(() => void load().catch(() => setInvites(undefined)), []);
  if (!invites) return null;
  const change = (work: () => Promise<unknown>): void =>
    void run(async () => {
      await work();
      await load();
    });
  return (
    <Section title={t('invite.title')}>
      <InviteForm onDone={load} />
      <ul className={classes.list}>
        {invites.map(({ id, email, invited }) => (
          <li key={id}>
            <span className={classes.grow}>
              {email}
              <small>{ago(invited)}</small>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              onClick={() => change(() => api.post(`/invites/${id}/resend`))}
            >
              {t('invite.again')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              onClick={() => change(() => api.remove(`/invites/${id}`))}
            >
              {t('invite.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function InviteForm({ onDone }: { onDone: () => Promise<void> }) {
  const subscriptions = useChat((state) => state.subscriptions);
  const defaults = useSetting<readonly { stream_id: number }[]>('realm_default_streams', []);
  const [emails, setEmails] = useState('');
  const [role, setRole] = useState(MEMBER);
  const [streams, setStreams] = useState(() => defaults.map((each) => String(each.stream_id)));
  const { isBusy, run } = useWork();
  const invite = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const params = { invitee_emails: emails, invite_as: Number(role), stream_ids: streams.map(Number) };
    if (!(await run(() => api.post('/invites', params), t('invite.sent')))) return;
    setEmails('');
    await onDone();
  };
  return (
    <form className={forms.form} onSubmit={(event) => void invite(event)}>
      <Textarea
        label={t('invite.emails')}
        description={t('invite.hint')}
        value={emails}
        onChange={(event) => setEmails(event.currentTarget.value)}
      />
      <Select
        label={t('invite.role')}
        data={[
          { value: MEMBER, label: t('role.member') },
          { value: GUEST, label: t('role.guest') },
          { value: ADMIN, label: t('role.admin') },
        ]}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value ?? MEMBER)}
      />
      <MultiSelect
        label={t('side.streams')}
        data={inOrder(subscriptions.values()).map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))}
        value={streams}
        searchable
        onChange={setStreams}
      />
      <Button type="submit" loading={isBusy} disabled={emails.trim() === ''}>
        {t('invite.send')}
      </Button>
    </form>
  );
}
