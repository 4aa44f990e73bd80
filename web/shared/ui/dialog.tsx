/** Mantine's dialog without its scroll lock, which would need an inline style. */
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../texts/texts';

export function Dialog(props: ModalProps) {
  useReturnedFocus();
  return (
    <Modal
      centered
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 80 }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      {...props}
      // Its head is not that of the page.
      attributes={{ ...props.attributes, header: { role: 'presentation' } }}
    />
  );
}

/** Mantine returns the focus only from dialogs that were there before they were opened. */
function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
}
