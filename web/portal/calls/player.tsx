/** A sound that is fetched once somebody wants to hear it. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';

type State = 'closed' | 'opening' | 'broken' | { readonly url: string };

export function Player({ path, label }: { path: string; label: string }) {
  const [state, setState] = useState<State>('closed');
  const url = typeof state === 'object' ? state.url : undefined;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const open = async (): Promise<void> => {
    setState('opening');
    try {
      setState({ url: URL.createObjectURL(await api.blob(path)) });
    } catch {
      setState('broken');
    }
  };
  if (state === 'broken') return <span role="alert">{t('portal.calls.notHeard')}</span>;
  // A recording has no captions.
  if (url !== undefined) return <audio controls autoPlay src={url} aria-label={label} />;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={label}
      loading={state === 'opening'}
      onClick={() => void open()}
    >
      {t('portal.calls.hear')}
    </Button>
  );
}
