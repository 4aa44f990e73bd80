/** An icon button with its name as tooltip and label. */
import { forwardRef, type ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon';
import classes from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
  readonly filled?: boolean;
  readonly size?: number;
}

export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon, label, filled = false, size = 18, ...rest },
  ref,
) {
  return (
    <button ref={ref} type="button" title={label} aria-label={label} {...rest} className={classes.button}>
      <Icon name={icon} size={size} filled={filled} />
    </button>
  );
});
