/** Sets the user's password. If there is one already, it must be entered. */
import { Button, PasswordInput } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { loadSession, useSignedIn } from '../session/session';
import classes from '../../shared/forms/form.module.css';

export function PasswordForm() {
  const { has_password: hasPassword } = useSignedIn();
  const form = useForm({ old_password: '', new_password: '' });
  const save = form.submit(async ({ old_password, new_password }) => {
    await api.put('/portal/api/password', hasPassword ? { old_password, new_password } : { new_password });
    form.reset({ old_password: '', new_password: '' });
    toast(t('portal.passwordSet'));
    await loadSession();
  });
  const toggle = { 'aria-label': t('signIn.showPassword') };
  return (
    <form className={classes.form} onSubmit={save}>
      {hasPassword && (
        <PasswordInput
          label={t('account.oldPassword')}
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle}
          {...form.input('old_password')}
        />
      )}
      <PasswordInput
        label={t('account.newPassword')}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        {...form.input('new_password')}
      />
      <FormError text={form.error} />
      <div>
        <Button type="submit" loading={form.isBusy} disabled={form.values.new_password === ''}>
          {t('portal.setPassword')}
        </Button>
      </div>
    </form>
  );
}
