/** Mantine's dialog without its scroll lock, which would need an inline style. */
import { Modal, type ModalProps } from '@mantine/core';
import { t } from '../texts/texts';

export function Dialog(props: ModalProps) {
  return (
    <Modal
      centered
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 80 }}
      overlayProps={{ backgroundOpacity: 0.35 }}
      {...props}
    />
  );
}
