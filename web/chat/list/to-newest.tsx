/**
 * The way to the newest message, for a reader who is not there: a button, or a note where the newest are not even loaded.
 * It has the state, so that the rows are not drawn again.
 */
import { useImperativeHandle, useState, type Ref } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import classes from './message-list.module.css';

export interface ToNewestHandle {
  setAtBottom(isAtBottom: boolean): void;
}

interface ToNewestProps {
  readonly ref: Ref<ToNewestHandle>;
  /** Whether the list reaches the newest message. */
  readonly hasNewest: boolean;
  readonly onClick: () => void;
}

export function ToNewest({ ref, hasNewest, onClick }: ToNewestProps) {
  const [isAtBottom, setAtBottom] = useState(true);
  useImperativeHandle(ref, () => ({ setAtBottom }), []);
  if (isAtBottom && hasNewest) return null;
  const button = (
    <button type="button" className={classes.toNewest} onClick={onClick}>
      <Icon name="down" size={16} />
      {t('list.toNewest')}
    </button>
  );
  if (hasNewest) return button;
  return (
    <div className={classes.older} role="status">
      {t('list.older')}
      {button}
    </div>
  );
}
