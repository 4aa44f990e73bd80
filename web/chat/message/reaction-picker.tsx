/** The emoji picker for reactions, beside its button. */
import { Popover } from '@mantine/core';
import type { ReactElement } from 'react';
import { tell } from '../../shared/ui/toasts';
import { toggleReaction } from '../data/actions';
import type { Message } from '../data/wire';
import { EmojiPicker } from '../emoji/emoji-picker';

interface PickerProps {
  readonly message: Message;
  readonly button: ReactElement;
  readonly onClose: () => void;
}

export function ReactionPicker({ message, button, onClose }: PickerProps) {
  return (
    <Popover opened onChange={onClose} position="bottom-end" trapFocus shadow="md" withinPortal>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <EmojiPicker
          onPick={(emoji) => {
            onClose();
            tell(toggleReaction(message, emoji));
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
