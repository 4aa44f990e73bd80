/** The only page for users whose organisation requires a second factor that they have not set up. */
import { Button } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { TwoFactor } from '../settings/two-factor';
import { signOut } from './session';
import classes from '../../shared/sign-in/sign-in.module.css';

export function MustSetUp() {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t('twoFactor.required')}</h1>
        <TwoFactor />
        <Button variant="subtle" onClick={() => tell(signOut())}>
          {t('own.signOut')}
        </Button>
      </div>
    </main>
  );
}
