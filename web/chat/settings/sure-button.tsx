/** A button for irreversible actions: the first press asks, the second confirms. */
import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';

interface SureButtonProps extends ButtonProps {
  readonly children: string;
  readonly onSure: () => void;
}

export function SureButton({ children, onSure, ...rest }: SureButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const press = (): void => {
    if (isAsking) onSure();
    setAsking(!isAsking);
  };
  return (
    <Button
      {...rest}
      type="button"
      variant={isAsking ? 'filled' : 'default'}
      onClick={press}
      onBlur={() => setAsking(false)}
    >
      {isAsking ? t('action.sure') : children}
    </Button>
  );
}
