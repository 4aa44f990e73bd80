/** Buttons that format the text, or insert something into it. */
import { Popover } from '@mantine/core';
import { useState, type RefObject } from 'react';
import { t, type TextKey } from '../../shared/texts/texts';
import type { IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { useCompose } from '../compose/state';
import { useSetting } from '../data/store';
import { applyEdit, insertWord } from './apply-edit';
import { formatted, type Format } from './formatting';
import { TimeForm } from './time-form';
import { callLink, JITSI } from './video-call';
import classes from './format-bar.module.css';

const BUTTONS: readonly (readonly [Format, IconName, TextKey])[] = [
  ['bold', 'bold', 'format.bold'],
  ['italic', 'italic', 'format.italic'],
  ['strike', 'strike', 'format.strike'],
  ['code', 'code', 'format.code'],
  ['link', 'link', 'format.link'],
  ['list', 'list', 'format.list'],
  ['quote', 'quote', 'format.quote'],
  ['spoiler', 'eyeOff', 'format.spoiler'],
  ['formula', 'formula', 'format.formula'],
  ['poll', 'poll', 'format.poll'],
];

interface BarProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly className: string | undefined;
}

export function FormatBar({ area, className }: BarProps) {
  const isPreviewing = useCompose((state) => state.isPreviewing);
  const press = (format: Format): void => {
    const element = area.current;
    if (!element) return;
    const { value: text, selectionStart: from, selectionEnd: to } = element;
    applyEdit(element, formatted(format, { text, from, to }, t('format.spoilerHeading')));
  };
  const insert = (word: string): void => {
    if (area.current) insertWord(area.current, word);
  };
  return (
    <div className={`${classes.bar} ${className}`} role="toolbar" aria-label={t('compose.format')}>
      {BUTTONS.map(([format, icon, text]) => (
        <IconButton
          key={format}
          icon={icon}
          size={16}
          label={t(text)}
          disabled={isPreviewing}
          // The text keeps the focus, and so its selection.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => press(format)}
        />
      ))}
      <TimeButton onInsert={insert} isDisabled={isPreviewing} />
      <CallButton onInsert={insert} isDisabled={isPreviewing} />
      <span className={classes.gap} />
      <IconButton
        icon="eye"
        size={16}
        label={t('compose.preview')}
        aria-pressed={isPreviewing}
        onClick={() => useCompose.setState({ isPreviewing: !isPreviewing })}
      />
    </div>
  );
}

interface InsertProps {
  readonly onInsert: (word: string) => void;
  readonly isDisabled: boolean;
}

function TimeButton({ onInsert, isDisabled }: InsertProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" trapFocus returnFocus={false} shadow="md" withinPortal>
      <Popover.Target>
        <IconButton
          icon="clock"
          size={16}
          label={t('format.time')}
          disabled={isDisabled}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <TimeForm
          onPick={(time) => {
            setOpen(false);
            onInsert(`<time:${time}>`);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function CallButton({ onInsert, isDisabled }: InsertProps) {
  const provider = useSetting<number>('realm_video_chat_provider', 0);
  const ofServer = useSetting('jitsi_server_url', '');
  const server = useSetting('realm_jitsi_server_url', '') || ofServer;
  if (provider !== JITSI) return null;
  return (
    <IconButton
      icon="video"
      size={16}
      label={t('format.call')}
      disabled={isDisabled}
      onClick={() => onInsert(callLink(server))}
    />
  );
}
