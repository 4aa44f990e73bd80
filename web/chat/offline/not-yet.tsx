/** In place of a page that is still being loaded. Without a network that may take long, so it says what it waits for. */
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { EmptyState } from '../../shared/ui/empty-state';
import { useChat } from '../data/store';

export function NotYet() {
  const isOffline = useChat(({ connection }) => connection === 'offline');
  if (!isOffline) return <div aria-busy="true" />;
  return (
    <>
      <Head>{null}</Head>
      <main id="main" tabIndex={-1}>
        <EmptyState isPage drawing="lost" title={t('offline.notYet')} text={t('offline.notYetText')} />
      </main>
    </>
  );
}
