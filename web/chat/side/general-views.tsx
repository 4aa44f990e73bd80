/** The views of everything, at the top of the side bar. */
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { useChat } from '../data/store';
import { DraftsEntry } from '../drafts/drafts-entry';
import { ScheduledEntry } from '../scheduled/scheduled-entry';
import { PlaceLink } from './place-link';
import { countsOf } from './unread-total';
import nav from '../../shared/shell/nav.module.css';

export function GeneralViews({ path }: { path: string }) {
  const total = useChat((state) => countsOf(state).total);
  const mentions = useChat((state) => state.unread.mentions.size);
  const privates = useChat((state) => countsOf(state).privates);
  const starred = useChat((state) => state.starred.size);
  return (
    <ul className={nav.list}>
      <Entry href="/" icon="inbox" name={t('view.inbox')} count={total} path={path} isQuiet />
      <Entry href="/recent" icon="history" name={t('view.recent')} path={path} />
      <Entry href="/all" icon="all" name={t('view.all')} path={path} />
      <Entry href="/private" icon="mail" name={t('view.privates')} count={privates} path={path} />
      <Entry href="/mentions" icon="mention" name={t('view.mentions')} count={mentions} path={path} />
      <Entry href="/starred" icon="star" name={t('view.starred')} count={starred} path={path} isQuiet isOfRead />
      <DraftsEntry />
      <ScheduledEntry path={path} />
    </ul>
  );
}

interface EntryProps {
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
  readonly count?: number;
  readonly path: string;
  readonly isQuiet?: boolean;
  /** Counts what need not be unread. */
  readonly isOfRead?: boolean;
}

function Entry({ href, icon, name, count = 0, path, isQuiet = false, isOfRead = false }: EntryProps) {
  return (
    <li>
      <PlaceLink
        href={href}
        className={nav.entry}
        data-unread={(count > 0 && !isOfRead) || undefined}
        aria-current={path === href ? 'page' : undefined}
      >
        <Icon name={icon} size={16} />
        <span className={nav.label}>{name}</span>
        <Count count={count} isQuiet={isQuiet} {...(isOfRead && { label: String(count) })} />
      </PlaceLink>
    </li>
  );
}
