/** Links to the other pages of this server. */
import { t, type TextKey } from '../../shared/texts/texts';
import classes from './places.module.css';

const PLACES: readonly (readonly [string, TextKey])[] = [
  ['/portal', 'place.portal'],
  ['/docs', 'place.docs'],
];

export function Places({ hasPortal }: { hasPortal: boolean }) {
  const shown = PLACES.filter(([path]) => hasPortal || path !== '/portal');
  return (
    <nav aria-label={t('place.label')} className={classes.places}>
      {shown.map(([path, name]) => (
        <a key={path} href={path}>
          {t(name)}
        </a>
      ))}
    </nav>
  );
}
