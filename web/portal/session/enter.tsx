/** Signs in by a mailed link or invitation. It needs a click, so that mail scanners do not use the link up. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { SignInCard } from '../../shared/session/sign-in';
import { t } from '../../shared/texts/texts';
import { forgetLink, signIn } from './session';

export function Enter({ link }: { link: string }) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    try {
      await signIn({ link });
    } catch (caught) {
      const isUsed = caught instanceof RequestError && caught.code === 'LINK_USED';
      setError(isUsed ? t('portal.linkUsed') : messageOf(caught));
      setBusy(false);
    }
  };
  return (
    <SignInCard title={t('portal.title')} hint={t('portal.enterHint')} error={error}>
      <Button loading={isBusy} onClick={() => void enter()} data-autofocus>
        {t('portal.enter')}
      </Button>
      <Button variant="subtle" onClick={forgetLink}>
        {t('portal.otherWay')}
      </Button>
    </SignInCard>
  );
}
