/** The forms that invite people: by mail, or by a link that anybody may have. */
import { Button, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../../shared/http/request';
import { t } from '../../../shared/texts/texts';
import { copyText } from '../../../shared/ui/copy-text';
import { useChat, useSetting } from '../../data/store';
import { useWork } from '../../settings/use-work';
import { inOrder } from '../../side/stream-groups';
import { rolesToGive } from '../../admin/roles';
import forms from '../../../shared/forms/form.module.css';

const MEMBER = '1';
const GUEST = '3';
/** As the server numbers them in invitations. */
const HIGHER = { moderator: '300', admin: '2', owner: '100' } as const;

const DAY = 24 * 60;
/** In minutes; null until it is revoked. */
const ENDS = { day: DAY, week: 7 * DAY, month: 30 * DAY, never: null } as const;
type End = keyof typeof ENDS;

interface Terms {
  readonly role: string;
  readonly streams: readonly string[];
  readonly end: End;
}

function useTerms() {
  const defaults = useSetting<readonly { stream_id: number }[]>('realm_default_streams', []);
  const [terms, setTerms] = useState<Terms>(() => ({
    role: MEMBER,
    streams: defaults.map((each) => String(each.stream_id)),
    end: 'week',
  }));
  const { role, streams, end } = terms;
  const params = {
    invite_as: Number(role),
    stream_ids: streams.map(Number),
    invite_expires_in_minutes: ENDS[end],
  };
  return { terms, params, change: (more: Partial<Terms>) => setTerms({ ...terms, ...more }) };
}

/** What both forms ask for. */
function TermFields({ terms, change }: { terms: Terms; change: (more: Partial<Terms>) => void }) {
  const subscriptions = useChat((state) => state.subscriptions);
  const own = useChat((state) => state.people.get(state.ownId));
  const given = rolesToGive(own);
  const higher = own?.is_admin ? (['moderator', 'admin', 'owner'] as const).filter((each) => given.includes(each)) : [];
  const roles = [
    { value: MEMBER, label: t('role.member') },
    { value: GUEST, label: t('role.guest') },
    ...higher.map((each) => ({ value: HIGHER[each], label: t(`role.${each}`) })),
  ];
  const choices = inOrder(subscriptions.values()).map(({ stream_id, name }) => ({
    value: String(stream_id),
    label: name,
  }));
  return (
    <>
      <div className={forms.pair}>
        <Select
          label={t('invite.role')}
          data={roles}
          value={terms.role}
          allowDeselect={false}
          onChange={(role) => change({ role: role ?? MEMBER })}
        />
        <Select
          label={t('invite.end')}
          data={Object.keys(ENDS).map((each) => ({ value: each, label: t(`invite.end.${each as End}`) }))}
          value={terms.end}
          allowDeselect={false}
          onChange={(end) => change({ end: (end as End | null) ?? 'week' })}
        />
      </div>
      <MultiSelect
        label={t('side.streams')}
        data={choices}
        value={[...terms.streams]}
        searchable
        onChange={(streams) => change({ streams })}
      />
    </>
  );
}

interface FormProps {
  readonly onDone: () => Promise<void>;
}

export function MailForm({ onDone }: FormProps) {
  const [emails, setEmails] = useState('');
  const { terms, params, change } = useTerms();
  const { isBusy, run } = useWork();
  const invite = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (!(await run(() => api.post('/invites', { invitee_emails: emails, ...params }), t('invite.sent')))) return;
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
      <TermFields terms={terms} change={change} />
      <Button type="submit" loading={isBusy} disabled={emails.trim() === ''}>
        {t('invite.send')}
      </Button>
    </form>
  );
}

export function LinkForm({ onDone }: FormProps) {
  const { terms, params, change } = useTerms();
  const [most, setMost] = useState('');
  const [link, setLink] = useState('');
  const { isBusy, run } = useWork();
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const form = { ...params, ...(most === '' ? {} : { max_uses: Number(most) }) };
    const work = async () => setLink((await api.post<{ invite_link: string }>('/invites/multiuse', form)).invite_link);
    if (await run(work, '')) await onDone();
  };
  return (
    <form className={forms.form} onSubmit={(event) => void create(event)}>
      <TermFields terms={terms} change={change} />
      <TextInput
        label={t('invite.uses')}
        description={t('invite.usesHint')}
        inputMode="numeric"
        pattern="[1-9][0-9]{0,4}"
        value={most}
        onChange={(event) => setMost(event.currentTarget.value.trim())}
      />
      <Button type="submit" loading={isBusy}>
        {t('invite.makeLink')}
      </Button>
      {link !== '' && (
        <div className={forms.actions}>
          <code className={forms.code}>{link}</code>
          <Button variant="default" onClick={() => void run(() => copyText(link), t('invite.copied'))}>
            {t('invite.copy')}
          </Button>
        </div>
      )}
    </form>
  );
}
