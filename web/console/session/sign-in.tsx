/** The page for operators who are not signed in. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { signIn, useSession } from './session';
import classes from '../../shared/style/sign-in.module.css';

export function SignIn() {
  const hasEnded = useSession((state) => state.hasEnded);
  const [fields, setFields] = useState({ name: '', key: '' });
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
      await signIn(fields.name.trim(), fields.key.trim());
    } catch (caught) {
      const isWrong = caught instanceof RequestError && caught.code === 'BAD_CREDENTIALS';
      setError(isWrong ? t('ops.wrongKey') : messageOf(caught));
      setBusy(false);
    }
  };
  return (
    <main className={classes.page}>
      <form className={classes.card} onSubmit={(event) => void submit(event)}>
        <h1 className={classes.title}>{t('place.console')}</h1>
        <p className={classes.hint}>{t(hasEnded ? 'ops.ended' : 'ops.signInHint')}</p>
        <TextInput
          label={t('ops.name')}
          autoComplete="username"
          required
          withAsterisk={false}
          value={fields.name}
          onChange={set('name')}
        />
        <PasswordInput
          label={t('ops.key')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={fields.key}
          onChange={set('key')}
          visibilityToggleButtonProps={{ 'aria-label': t('ops.showKey') }}
        />
        {error !== '' && (
          <p role="alert" className={classes.error}>
            {error}
          </p>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          {t('signIn.submit')}
        </Button>
      </form>
    </main>
  );
}
