/** The only page for users whose organisation requires a second factor that they have not set up. */
import { Button } from '@mantine/core';
import { SignInCard } from '../../shared/session/sign-in';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { TwoFactor } from '../settings/two-factor';
import { signOut } from './session';

export function MustSetUp() {
  return (
    <SignInCard title={t('twoFactor.required')}>
      <TwoFactor />
      <Button variant="subtle" onClick={() => tell(signOut())}>
        {t('own.signOut')}
      </Button>
    </SignInCard>
  );
}
