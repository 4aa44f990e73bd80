/** A page for an address that leads nowhere. */
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { actionClass, EmptyState } from '../../shared/ui/empty-state';
import { useTitle } from '../notices/title';
import { PlaceLink } from '../side/place-link';
import classes from './view.module.css';

interface NowhereProps {
  readonly title: string;
  readonly text: string;
  readonly action: { readonly name: string; readonly path: string };
}

export const Nowhere = ({ title, text, action }: NowhereProps) => (
  <>
    <Head>{null}</Head>
    <main className={classes.sheet} id="main" tabIndex={-1}>
      <EmptyState drawing="lost" title={title} text={text} isPage>
        <PlaceLink href={action.path} className={actionClass}>
          {action.name}
        </PlaceLink>
      </EmptyState>
    </main>
  </>
);

/** An address that no view has. */
export function NoView() {
  useTitle(t('view.none'));
  return <Nowhere title={t('view.none')} text={t('view.noneHint')} action={{ name: t('view.inbox'), path: '/' }} />;
}
