/** The page for people who are not signed in. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { t, type TextKey } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Places } from '../shell/places';
import type { SignedOut } from '../data/wire';
import { signIn, useSession } from './session';
import classes from '../../shared/style/sign-in.module.css';

/** What a sign-in at another server may have ended with; the server says it in the address. */
const ERRORS = new Map<string, TextKey>([
  ['OPENID_LATE', 'signIn.late'],
  ['EMAIL_NOT_VERIFIED', 'signIn.notVerified'],
  ['DOMAIN_NOT_ALLOWED', 'signIn.otherDomain'],
  ['NO_ACCOUNT', 'signIn.noAccount'],
  ['ACCOUNT_DEACTIVATED', 'signIn.deactivated'],
]);

function errorInAddress(): string {
  const code = new URLSearchParams(location.search).get('sign_in_error');
  return code === null ? '' : t(ERRORS.get(code) ?? 'signIn.failed');
}

export function SignIn({ session }: { session: SignedOut }) {
  const hasEnded = useSession((state) => state.hasEnded);
  const { organisation, methods } = session;
  const error = errorInAddress();
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <h1 className={classes.title}>{organisation?.name ?? 'Partyline'}</h1>
        <p className={classes.hint}>{t(hintOf(session, hasEnded))}</p>
        {error !== '' && (
          <p role="alert" className={classes.error}>
            {error}
          </p>
        )}
        {organisation && methods.password && <PasswordForm />}
        {methods.openid.map(({ name, url }) => (
          <Button key={url} component="a" href={url} variant="default" fullWidth>
            {t('signIn.with', { name })}
          </Button>
        ))}
        <DemoAccounts accounts={session.demo_accounts ?? []} />
      </div>
      <footer className={classes.places}>
        <Places />
      </footer>
    </main>
  );
}

function hintOf({ organisation }: SignedOut, hasEnded: boolean): TextKey {
  if (!organisation) return 'signIn.noOrganisation';
  return hasEnded ? 'signIn.ended' : 'signIn.welcome';
}

const focus = (input: HTMLInputElement | null): void => input?.focus();

function PasswordForm() {
  const [fields, setFields] = useState({ email: '', password: '', code: '' });
  const [wantsCode, setWantsCode] = useState(false);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const set = (name: keyof typeof fields) => (event: SyntheticEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      const { email, password, code } = fields;
      await signIn(code === '' ? { email: email.trim(), password } : { email: email.trim(), password, code });
    } catch (caught) {
      const code = caught instanceof RequestError ? caught.code : '';
      if (code === 'CODE_REQUIRED') setWantsCode(true);
      const isWrong = code === 'BAD_CREDENTIALS' || (code === 'CODE_REQUIRED' && wantsCode);
      if (isWrong) setError(t(wantsCode ? 'signIn.wrongCode' : 'signIn.wrong'));
      else if (code !== 'CODE_REQUIRED') setError(messageOf(caught));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={classes.form}>
      <TextInput
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={fields.email}
        onChange={set('email')}
      />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={fields.password}
        onChange={set('password')}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      />
      {wantsCode && (
        <TextInput
          label={t('signIn.code')}
          description={t('signIn.codeHint')}
          autoComplete="one-time-code"
          ref={focus}
          value={fields.code}
          onChange={set('code')}
        />
      )}
      {error !== '' && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      <Button type="submit" loading={isBusy} fullWidth>
        {t('signIn.submit')}
      </Button>
      <a className={classes.forgotten} href="/password_reset">
        {t('signIn.forgotten')}
      </a>
    </form>
  );
}

function DemoAccounts({ accounts }: { accounts: NonNullable<SignedOut['demo_accounts']> }) {
  const [error, setError] = useState('');
  if (accounts.length === 0) return null;
  return (
    <section aria-label={t('signIn.demo')} className={classes.demo}>
      <h2>{t('signIn.demo')}</h2>
      <ul>
        {accounts.map(({ email, full_name }, index) => (
          <li key={email}>
            <button
              type="button"
              onClick={() => void signIn({ demo: email }).catch((each) => setError(messageOf(each)))}
            >
              <Avatar name={full_name} id={index + 1} size={32} />
              <span>
                <b>{full_name}</b>
                <small>{email}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {error !== '' && <p role="alert">{error}</p>}
    </section>
  );
}
