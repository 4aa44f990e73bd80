/** A button that opens a file picker for images. */
import { Button, type ButtonProps } from '@mantine/core';
import { useRef } from 'react';

interface PictureButtonProps extends ButtonProps {
  readonly children: string;
  readonly onPick: (file: File) => void;
}

export function PictureButton({ children, onPick, ...rest }: PictureButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Reset, so that the same file can be chosen again.
          event.currentTarget.value = '';
          if (file) onPick(file);
        }}
      />
      <Button variant="default" {...rest} onClick={() => picker.current?.click()}>
        {children}
      </Button>
    </>
  );
}
