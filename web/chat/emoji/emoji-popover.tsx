/** The emoji picker beside its button. */
import { Popover } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Emoji } from '../data/actions';
import { EmojiPicker } from './emoji-picker';

interface PopoverProps {
  readonly button: ReactElement;
  readonly position: 'bottom-end' | 'top-end';
  readonly onClose: () => void;
  readonly onPick: (emoji: Emoji) => void;
}

export function EmojiPopover({ button, position, onClose, onPick }: PopoverProps) {
  return (
    <Popover opened onChange={onClose} position={position} trapFocus returnFocus={false} shadow="md" withinPortal>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <EmojiPicker onPick={onPick} />
      </Popover.Dropdown>
    </Popover>
  );
}
