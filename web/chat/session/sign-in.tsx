/** The sign-in page. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DemoPeople, EmailField, SecretField, SignInCard, SignInForm } from '../../shared/session/sign-in';
import { t, type TextKey } from '../../shared/texts/texts';
import { Mark } from '../../shared/ui/mark';
import { Places } from './places';
import type { SignedOut } from '../data/wire';
import { signIn, useSession } from './session';
import classes from '../../shared/session/sign-in.module.css';

/** Errors of an external sign-in, which the server puts into the URL. */
const ERRORS = new Map<string, TextKey>([
  ['OPENID_LATE', 'signIn.late'],
  ['EMAIL_NOT_VERIFIED', 'signIn.notVerified'],
  ['DOMAIN_NOT_ALLOWED', 'signIn.otherDomain'],
  ['NO_ACCOUNT', 'signIn.noAccount'],
  ['ACCOUNT_DEACTIVATED', 'signIn.deactivated'],
  ['TWO_FACTOR_SETUP_REQUIRED', 'signIn.needsFactor'],
]);

function errorInAddress(): string {
  const code = new URLSearchParams(location.search).get('sign_in_error');
  return code === null ? '' : t(ERRORS.get(code) ?? 'signIn.failed');
}

export function SignIn({ session }: { session: SignedOut }) {
  const hasEnded = useSession((state) => state.hasEnded);
  const { organisation, methods } = session;
  return (
    <SignInCard
      mark={<Mark organisation={organisation?.icon_url ?? ''} size={48} />}
      title={organisation?.name ?? 'Partyline'}
      hint={t(hintOf(session, hasEnded))}
      error={errorInAddress()}
      places={<Places hasPortal={session.has_portal} />}
    >
      {organisation && methods.password && <PasswordForm />}
      {methods.openid.map(({ name, url }) => (
        <Button key={url} component="a" href={url} variant="default" fullWidth>
          {t('signIn.with', { name })}
        </Button>
      ))}
      <DemoPeople
        people={(session.demo_accounts ?? []).map(({ email, full_name }) => ({
          id: email,
          name: full_name,
          of: email,
        }))}
        enter={(email) => signIn({ demo: email })}
      />
    </SignInCard>
  );
}

function hintOf({ organisation }: SignedOut, hasEnded: boolean): TextKey {
  if (!organisation) return 'signIn.noOrganisation';
  return hasEnded ? 'signIn.ended' : 'signIn.welcome';
}

const focus = (input: HTMLInputElement | null): void => input?.focus();

function PasswordForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [wantsCode, setWantsCode] = useState(false);
  const send = (): Promise<unknown> => signIn({ email: email.trim(), password, ...(code === '' ? {} : { code }) });
  const wordsOf = (refusal: string): string | undefined => {
    if (refusal === 'CODE_REQUIRED') setWantsCode(true);
    // The code is asked for the first time, so there is no error.
    if (refusal === 'CODE_REQUIRED' && !wantsCode) return '';
    const isWrong = refusal === 'BAD_CREDENTIALS' || refusal === 'CODE_REQUIRED';
    return isWrong ? t(wantsCode ? 'signIn.wrongCode' : 'signIn.wrong') : undefined;
  };
  return (
    <>
      <SignInForm send={send} wordsOf={wordsOf} submit={t('signIn.submit')}>
        <EmailField value={email} onChange={setEmail} />
        <SecretField label={t('signIn.password')} value={password} onChange={setPassword} />
        {wantsCode && (
          <TextInput
            label={t('signIn.code')}
            description={t('signIn.codeHint')}
            autoComplete="one-time-code"
            ref={focus}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </SignInForm>
      <a className={classes.forgotten} href="/password_reset">
        {t('signIn.forgotten')}
      </a>
    </>
  );
}
