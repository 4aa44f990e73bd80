/** The filter of the side bar. Enter opens the first match. */
import type { KeyboardEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { toggleSide } from '../../shared/shell/side';
import { t } from '../../shared/texts/texts';
import { chat } from '../data/store';
import { firstMatch } from './filter';
import classes from './chat-side.module.css';

export function SideFilter({ filter, onChange }: { filter: string; onChange: (filter: string) => void }) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const path = firstMatch(chat(), event.currentTarget.value);
    if (path === undefined) return;
    event.preventDefault();
    event.currentTarget.blur();
    onChange('');
    navigate(path);
    toggleSide(false);
  };
  return (
    <input
      id="side-filter"
      className={classes.filter}
      type="search"
      value={filter}
      placeholder={t('side.filter')}
      aria-label={t('side.filter')}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
