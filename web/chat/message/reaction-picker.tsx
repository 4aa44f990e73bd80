/** The emoji picker for reactions, beside its button. */
import type { ReactElement } from 'react';
import { tell } from '../../shared/ui/toasts';
import { toggleReaction } from '../data/actions';
import type { Message } from '../data/wire';
import { EmojiPopover } from '../emoji/emoji-popover';

interface PickerProps {
  readonly message: Message;
  readonly button: ReactElement;
  readonly onClose: () => void;
}

export function ReactionPicker({ message, button, onClose }: PickerProps) {
  return (
    <EmojiPopover
      button={button}
      position="bottom-end"
      onClose={onClose}
      onPick={(emoji) => {
        onClose();
        tell(toggleReaction(message, emoji));
      }}
    />
  );
}
