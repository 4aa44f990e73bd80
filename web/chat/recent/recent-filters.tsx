/** What is shown of the recent conversations. */
import { t } from '../../shared/texts/texts';
import type { RecentFilter } from './recent-rows';
import classes from './recent.module.css';

interface RecentFiltersProps {
  readonly filter: RecentFilter;
  readonly onChange: (filter: RecentFilter) => void;
}

const SWITCHES = ['unread', 'participated', 'muted'] as const;

export const RecentFilters = ({ filter, onChange }: RecentFiltersProps) => (
  <div className={classes.filters} role="search" aria-label={t('recent.filters')}>
    {SWITCHES.map((name) => (
      <button
        key={name}
        type="button"
        aria-pressed={filter[name]}
        onClick={() => onChange({ ...filter, [name]: !filter[name] })}
      >
        {t(`recent.${name}`)}
      </button>
    ))}
    <input
      type="search"
      value={filter.text}
      placeholder={t('recent.search')}
      aria-label={t('recent.search')}
      onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
    />
  </div>
);
