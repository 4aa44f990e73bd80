/** The entry of the side bar that leads to what is scheduled, with its number. Without any there is none. */
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { PlaceLink } from '../side/place-link';
import { useScheduled } from './scheduled';
import nav from '../../shared/shell/nav.module.css';

export function ScheduledEntry({ path }: { path: string }) {
  const count = useScheduled(({ messages, reminders }) => messages.size + reminders.size);
  const failed = useScheduled(({ messages }) => [...messages.values()].filter((each) => each.failed).length);
  if (count === 0) return null;
  return (
    <li>
      <PlaceLink href="/scheduled" className={nav.entry} aria-current={path === '/scheduled' ? 'page' : undefined}>
        <Icon name="clock" size={16} />
        <span className={nav.label}>{t('scheduled.title')}</span>
        <Count
          count={failed || count}
          isQuiet={failed === 0}
          label={failed > 0 ? t('scheduled.failedCount', { count: failed }) : String(count)}
        />
      </PlaceLink>
    </li>
  );
}
