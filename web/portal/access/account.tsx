/** The user's password and sessions. */
import { Button } from '@mantine/core';
import { agentName } from '../../shared/agent-name';
import { ago } from '../../shared/texts/dates';
import { PushSection } from '../../shared/push/push-section';
import { DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { LanguageSelect } from '../../shared/ui/language-select';
import { tell } from '../../shared/ui/toasts';
import { FormError, Section } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { pushApi } from '../push/push-api';
import { useSignedIn } from '../session/session';
import { PasswordForm } from './password-form';
import classes from '../../shared/forms/form.module.css';

interface SessionRow {
  readonly id: number;
  readonly agent: string;
  readonly address: string;
  readonly opened_by: 'password' | 'link' | 'key' | 'demo';
  readonly last_used_at: string;
  readonly current: boolean;
}

const secondsOf = (moment: string): number => Date.parse(moment) / 1000;

export function Account() {
  const { has_password: hasPassword, opened_by: openedBy, email } = useSignedIn();
  return (
    <>
      <p>{email}</p>
      <Section>
        <div className={classes.form}>
          <LanguageSelect />
        </div>
      </Section>
      <PushSection api={pushApi} />
      <Section title={t(hasPassword ? 'account.password' : 'portal.choosePassword')} hint={t('portal.passwordHint')}>
        {hasPassword || openedBy !== 'key' ? <PasswordForm /> : <p role="note">{t('portal.passwordNotByKey')}</p>}
      </Section>
      <Sessions />
    </>
  );
}

function Sessions() {
  const sessions = useLoaded('sessions', () => api.get<readonly SessionRow[]>('/portal/api/sessions'));
  const end = async (id: number): Promise<void> => {
    await api.remove(`/portal/api/sessions/${id}`);
    await sessions.reload();
  };
  return (
    <Section title={t('sessions.title')}>
      <FormError text={sessions.error} />
      <DataTable
        label={t('sessions.title')}
        heads={[t('portal.browser'), t('portal.openedBy'), t('portal.lastUse'), t('portal.actions')]}
        isLoading={sessions.isLoading}
      >
        {sessions.value?.map(({ id, agent, address, opened_by: by, last_used_at: used, current }) => (
          <tr key={id}>
            <td>
              {agentName(agent)}
              <small>{address}</small>
            </td>
            <td>{t(`portal.opened.${by}`)}</td>
            <td>{current ? t('portal.thisSession') : ago(secondsOf(used))}</td>
            <td>
              {!current && (
                <Button size="compact-sm" variant="default" onClick={() => tell(end(id), t('settings.saved'))}>
                  {t('portal.endSession')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </Section>
  );
}
